package io.testudo.quorum.sim.pinging;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.ping.Counting;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;

/**
 * Clients survey the servers again and again. What must hold:
 *
 * <ul>
 *   <li>of a correct server nothing counts that is above its number;
 *   <li>what counts never falls in the eyes of one client;
 *   <li>a correct server never gives the number of an earlier start to a later one;
 *   <li>when all is well, two surveys are enough to know the truth about every correct server.
 * </ul>
 */
final class PingWorkload implements Workload {
  private static final long MILLI = 1_000_000L;
  private static final long RETRY_NANOS = 40 * MILLI;
  private static final long CHAOS_TIMEOUT_NANOS = 150 * MILLI;

  /** How far each start goes, at a liar too: else all that it says would differ from the truth. */
  static final long LEAP = 1_000;

  /** None counts on while a scenario lasts: two surveys would not be enough to know it. */
  private static final Counting COUNTING = new Counting(Counting.STEADY.onNanos(), () -> LEAP);

  private final Thresholds thresholds;
  private final long calmTimeoutNanos;
  private final Map<ServerId, Long> numbers = new HashMap<>();
  private final Map<ServerId, Spoken> spoken = new HashMap<>();
  private final Map<ClientId, long[]> lastVouched = new HashMap<>();
  private final Map<ClientId, Integer> calmSurveys = new HashMap<>();

  /** The number that a server gave to the start of one of its lives. */
  private record Spoken(long life, long incarnation) {}

  /**
   * Makes a workload.
   *
   * @param calmTimeoutNanos in which a survey must succeed when all is well
   */
  PingWorkload(Thresholds thresholds, long calmTimeoutNanos) {
    this.thresholds = thresholds;
    this.calmTimeoutNanos = calmTimeoutNanos;
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
    return new PingServer(self, thresholds.servers(), () -> 0, COUNTING);
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
    return new PingClient(thresholds, RETRY_NANOS, entropy);
  }

  @Override
  public Forger forger() {
    return new PingForger();
  }

  @Override
  public int closingOperations() {
    return 2;
  }

  @Override
  public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    return client instanceof PingClient pinging
        && message instanceof Pong pong
        && pong.server().equals(from)
        && pong.witnessed().servers() == thresholds.servers()
        && pinging.awaits(from, pong.nonce());
  }

  @Override
  public void afterServerStep(ServerId server, long started, Machine<ClientId> machine) {
    long incarnation = ((PingServer) machine).incarnation();
    if (incarnation > started * LEAP) {
      throw Violation.safety(
          "%s started %d times, and its number is %d".formatted(server, started, incarnation));
    }
    numbers.put(server, incarnation);
  }

  @Override
  public void onServerSends(ServerId server, long life, ClientId to, Message message) {
    if (message instanceof Pong pong) {
      Spoken now = new Spoken(life, pong.incarnation());
      Spoken before = spoken.put(server, now);
      boolean isLater = before != null && before.life() < life;
      if (isLater && before.incarnation() >= now.incarnation()) {
        throw Violation.safety(
            "%s said %d in an earlier life, and %d in this one"
                .formatted(server, before.incarnation(), now.incarnation()));
      }
    }
  }

  @Override
  public void operate(ClientPort port, Runnable done) {
    boolean calm = port.isCalm();
    Await await = calm || port.entropy().chance(0.3) ? Await.ALL : Await.QUORUM;
    port.call(
        new Survey(await, calm ? calmTimeoutNanos : CHAOS_TIMEOUT_NANOS),
        new CallListener<SurveyResult>() {
          @Override
          public void completed(SurveyResult result) {
            check(port.self(), result, calm);
            done.run();
          }

          @Override
          public void failed(TestudoException reason) {
            if (calm) {
              throw Violation.liveness("all is well, and a survey fails: " + reason.getMessage());
            }
            port.note("survey failed: " + reason.getMessage());
            done.run();
          }
        });
  }

  private void check(ClientId client, SurveyResult result, boolean calm) {
    long[] before = lastVouched.computeIfAbsent(client, any -> new long[thresholds.servers()]);
    boolean mustKnow = calm && calmSurveys.merge(client, 1, Integer::sum) >= closingOperations();
    for (ServerView view : result.servers()) {
      int index = view.server().index();
      if (view.vouched() < before[index]) {
        throw Violation.safety("what counts of " + view.server() + " fell for " + client);
      }
      before[index] = view.vouched();
      if (view.roundTripNanos() < 0) {
        throw Violation.safety("an answer of " + view.server() + " came before it was asked");
      }
      Long truth = numbers.get(view.server());
      if (truth == null) {
        continue; // A liar: nothing is promised of it.
      }
      if (view.vouched() > truth) {
        throw Violation.safety(
            "the number of %s is %d, and %d counts"
                .formatted(view.server(), truth, view.vouched()));
      }
      if (mustKnow && view.vouched() < truth) {
        throw Violation.liveness(
            "all is well, the number of %s is %d, and only %d counts"
                .formatted(view.server(), truth, view.vouched()));
      }
    }
  }
}
