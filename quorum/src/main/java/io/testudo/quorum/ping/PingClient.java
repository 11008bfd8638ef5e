package io.testudo.quorum.ping;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Tally;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;

/**
 * The client machine of the ping. A survey sends a {@link Ping} to every server and is over when
 * enough have answered. What servers say of each other is kept from survey to survey in a {@link
 * Witnesses}, and each ping carries what is known to the servers, so that the next client hears of
 * it from more of them.
 */
public final class PingClient extends Machine<ServerId> {
  /** A client that asks for more at once has lost count of what it asks. */
  public static final int MAX_SURVEYS = 4_096;

  private record Retry(long nonce) implements TimerKey {}

  private record Deadline(long nonce) implements TimerKey {}

  private final Thresholds thresholds;
  private final ServerSet everyone;
  private final long retryNanos;
  private final Entropy entropy;
  private final boolean testifies;
  private final Witnesses witnesses;
  private final Map<Long, Attempt> attempts = new HashMap<>();

  /** One survey in progress. */
  private static final class Attempt {
    final CallId<SurveyResult> call;
    final Survey survey;
    final long startNanos;
    final Incarnations knownBefore;
    final Incarnations heardBefore;
    final Tally<Pong> answers;
    final long[] roundTripNanos;

    Attempt(CallId<SurveyResult> call, Survey survey, long startNanos, Witnesses witnesses) {
      this.call = call;
      this.survey = survey;
      this.startNanos = startNanos;
      this.knownBefore = witnesses.known();
      this.heardBefore = witnesses.heard();
      this.answers = new Tally<>(knownBefore.servers());
      this.roundTripNanos = new long[knownBefore.servers()];
    }
  }

  /**
   * Makes a client machine.
   *
   * @param thresholds of {@code Need.PING}
   * @param retryNanos after which a server that has not answered is asked again
   */
  public PingClient(Thresholds thresholds, long retryNanos, Entropy entropy) {
    this(thresholds, retryNanos, entropy, true);
  }

  /**
   * As above.
   *
   * @param testifies whether servers believe what this client knows of the others: who may
   *     administer
   */
  public PingClient(Thresholds thresholds, long retryNanos, Entropy entropy, boolean testifies) {
    checkArgument(retryNanos > 0, "the time between retries must be positive");
    this.thresholds = thresholds;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.retryNanos = retryNanos;
    this.entropy = entropy;
    this.testifies = testifies;
    this.witnesses = new Witnesses(thresholds);
    onCall(Survey.class, this::onSurvey);
    onMessage(Pong.class, this::onPong);
    onTimer(Retry.class, this::onRetry);
    onTimer(Deadline.class, this::onDeadline);
  }

  private void onSurvey(CallId<SurveyResult> call, Survey survey) {
    if (attempts.size() >= MAX_SURVEYS) {
      fail(call, new OverloadedException("surveys in progress", MAX_SURVEYS));
      return;
    }
    long nonce = entropy.nextLong();
    attempts.put(nonce, new Attempt(call, survey, now().nanos(), witnesses));
    ask(nonce, everyone);
    setTimer(new Retry(nonce), retryNanos);
    setTimer(new Deadline(nonce), survey.timeoutNanos());
  }

  private void ask(long nonce, ServerSet servers) {
    Ping ping = new Ping(nonce, testifies ? witnesses.heard() : Incarnations.none(everyone.size()));
    for (ServerId server : servers) {
      send(server, ping);
    }
  }

  private void onPong(ServerId from, Pong pong) {
    if (!pong.server().equals(from)) {
      tell(new Suspicion(from, "calls itself " + pong.server()));
      return;
    }
    if (pong.witnessed().servers() != thresholds.servers()) {
      tell(new Suspicion(from, "speaks of " + pong.witnessed().servers() + " servers"));
      return;
    }
    Attempt attempt = attempts.get(pong.nonce());
    if (attempt == null || !attempt.answers.add(from, pong)) {
      return; // Of an earlier survey, a repetition, or made up: it counts for nothing.
    }
    // Answers may overtake each other; but what we knew before we asked, it must know too.
    long heardBefore = attempt.heardBefore.of(from);
    long knownBefore = attempt.knownBefore.of(from);
    boolean skipped = pong.skips(heardBefore);
    boolean fell = pong.incarnation() < knownBefore || skipped;
    if (fell) {
      long denied = skipped ? heardBefore : knownBefore;
      tell(new Suspicion(from, "it says " + pong.incarnation() + " and denies " + denied));
    }
    witnesses.hear(from, pong, fell);
    attempt.roundTripNanos[from.index()] = now().nanos() - attempt.startNanos;
    long leftNanos = attempt.survey.timeoutNanos() - attempt.roundTripNanos[from.index()];
    if (attempt.answers.answered() == 1 && attempt.survey.restNanos() < leftNanos) {
      setTimer(new Deadline(pong.nonce()), attempt.survey.restNanos());
    }
    int wanted = attempt.survey.await() == Survey.Await.ALL ? everyone.size() : thresholds.quorum();
    if (attempt.answers.answered() >= wanted) {
      finish(pong.nonce(), attempt);
    }
  }

  private void onRetry(Retry retry) {
    Attempt attempt = attempts.get(retry.nonce());
    if (attempt != null) {
      ask(retry.nonce(), everyone.minus(attempt.answers.servers()));
      setTimer(retry, retryNanos);
    }
  }

  private void onDeadline(Deadline deadline) {
    Attempt attempt = attempts.get(deadline.nonce());
    if (attempt == null) {
      return;
    }
    if (attempt.answers.answered() >= thresholds.quorum()) {
      finish(deadline.nonce(), attempt);
    } else {
      fail(
          attempt.call,
          new NoQuorumException(
              attempt.answers.servers(),
              thresholds.servers(),
              thresholds.quorum(),
              Outcome.DID_NOT_HAPPEN));
      forget(deadline.nonce());
    }
  }

  private void finish(long nonce, Attempt attempt) {
    ImmutableList.Builder<ServerView> views = ImmutableList.builder();
    for (ServerId server : everyone) {
      Pong answer = attempt.answers.from(server).orElse(null);
      long otherLife = answer == null ? 0 : witnesses.otherLife(server, answer);
      if (otherLife > 0) {
        tell(new Suspicion(server, "in another life it said " + otherLife + ", and denies it now"));
      }
      views.add(
          new ServerView(
              server,
              answer != null,
              answer == null ? 0 : answer.incarnation(),
              attempt.knownBefore.of(server),
              witnesses.vouched(server),
              attempt.roundTripNanos[server.index()],
              answer == null ? 0 : answer.quietMillis(),
              otherLife));
    }
    complete(attempt.call, new SurveyResult(views.build()));
    forget(nonce);
  }

  private void forget(long nonce) {
    attempts.remove(nonce);
    cancelTimer(new Retry(nonce));
    cancelTimer(new Deadline(nonce));
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    attempts.entrySet().stream()
        .filter(entry -> entry.getValue().call.equals(call))
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(this::forget);
  }

  /** Whether an answer with this nonce would be counted now. */
  public boolean awaits(ServerId from, long nonce) {
    Attempt attempt = attempts.get(nonce);
    return attempt != null && !attempt.answers.servers().contains(from);
  }
}
