package io.testudo.bench.strawman;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.strawman.Rejected.Reason;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Steps of the client machine: four servers, of which three must grant. */
class StrawmanClientTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long HOLD = 100 * MILLI;
  private static final RandomRetry RETRY = new RandomRetry(30 * MILLI, 10 * MILLI);

  private final StrawmanClient client =
      new StrawmanClient(SigmaProtocol.CRASHES.thresholds(4, 1), TIMING, RETRY, Entropy.seeded(3));
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final Map<Long, Object> results = new HashMap<>();
  private final List<Event> told = new ArrayList<>();
  private final Map<ServerId, Message> lastSent = new HashMap<>();
  private long nanos;
  private long calls;

  StrawmanClientTest() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ServerId> input) {
    lastSent.clear();
    for (Effect<ServerId> effect : client.step(input, new Moment(nanos, 1_000 + nanos / MILLI))) {
      if (effect instanceof Effect.Send<ServerId> send) {
        lastSent.put(send.to(), send.message());
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Complete<ServerId> complete) {
        results.put(complete.id().number(), complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        results.put(failure.id().number(), failure.reason());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        told.add(tell.event());
      }
    }
  }

  private long call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++calls), call));
    return calls;
  }

  /** Lets time pass until the next timer, and lets it ring. */
  private void nextTimer() {
    Map.Entry<TimerKey, Long> next =
        timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    timers.remove(next.getKey());
    nanos = next.getValue();
    step(new Input.TimerFired<>(next.getKey()));
  }

  private Ask asked() {
    assertThat(lastSent).hasSize(4);
    return (Ask) Objects.requireNonNull(lastSent.get(new ServerId(0)));
  }

  private void grant(Ask ask, long fence, int... servers) {
    for (int server : servers) {
      step(
          new Input.Received<>(
              new ServerId(server), new Granted("a", ask.attempt(), ask.number(), fence)));
    }
  }

  private void reject(Ask ask, Reason reason, int... servers) {
    for (int server : servers) {
      step(
          new Input.Received<>(
              new ServerId(server), new Rejected(ask.attempt(), ask.number(), reason, 9, 5)));
    }
  }

  private Held hold(long keepNanos) {
    long call = call(new Acquire("a", HOLD, Acquire.FOREVER, keepNanos, false));
    grant(asked(), 0, 0, 1, 2);
    return (Held) Objects.requireNonNull(results.get(call));
  }

  @Test
  void entersWithAQuorumOfGrantsAndATokenAboveAllThatWereTold() {
    long fence = 1L << 60;
    long call = call(Acquire.of("a", HOLD, Acquire.FOREVER));
    Ask ask = asked();
    grant(ask, fence, 0, 1, 1);
    assertThat(results).isEmpty();
    grant(ask, 0, 3);
    assertThat(((Held) Objects.requireNonNull(results.get(call))).token()).isGreaterThan(fence);
  }

  @Test
  void aLoserGivesBackWhatItGotSleepsAndAsksAnew() {
    call(Acquire.of("a", HOLD, Acquire.FOREVER));
    Ask first = asked();
    grant(first, 0, 0, 1);
    reject(first, Reason.OWNED, 2);
    assertThat(lastSent).isEmpty();
    reject(first, Reason.OWNED, 3);
    assertThat(lastSent).hasSize(4).containsValue(new Drop("a", first.attempt(), 0));
    long lostNanos = nanos;
    nextTimer();
    assertThat(nanos - lostNanos).isBetween(30 * MILLI, 40 * MILLI);
    assertThat(asked().attempt()).isGreaterThan(first.attempt());
  }

  @Test
  void aGrantForADeadAttemptIsGivenBack() {
    long call = call(Acquire.of("a", HOLD, 0));
    Ask ask = asked();
    reject(ask, Reason.OWNED, 2, 3);
    assertThat(results.get(call)).isInstanceOf(NotAcquiredException.class);
    grant(ask, 0, 1);
    assertThat(lastSent)
        .containsExactlyEntriesOf(Map.of(new ServerId(1), new Drop("a", ask.attempt(), 0)));
  }

  @Test
  void asksAnewWhenAnswersAreLostAndGivesUpInTime() {
    long call = call(Acquire.of("a", HOLD, 200 * MILLI));
    Ask first = asked();
    grant(first, 0, 0);
    nextTimer();
    assertThat(nanos).isEqualTo(TIMING.windowNanos());
    nextTimer();
    assertThat(asked().attempt()).isGreaterThan(first.attempt());
    while (results.isEmpty()) {
      nextTimer();
    }
    assertThat(nanos).isEqualTo(200 * MILLI);
    assertThat(results.get(call)).isInstanceOf(NoQuorumException.class);
    assertThat(timers).isEmpty();
  }

  @Test
  void aCancelledCallIsWithdrawnEverywhere() {
    long call = call(Acquire.of("a", HOLD, Acquire.FOREVER));
    Ask ask = asked();
    step(new Input.Cancelled<>(new CallId<>(call)));
    assertThat(lastSent).hasSize(4).containsValue(new Drop("a", ask.attempt(), 0));
    grant(ask, 0, 0, 1, 2, 3);
    assertThat(results).isEmpty();
    assertThat(timers).isEmpty();
  }

  @Test
  void releasesEverywhereAndTellsTheToken() {
    Held held = hold(0);
    long release = call(new ReleaseCall("a", held.token()));
    assertThat(results.get(release)).isEqualTo(true);
    assertThat(lastSent).hasSize(4);
    assertThat(((Drop) Objects.requireNonNull(lastSent.get(new ServerId(3)))).fence())
        .isEqualTo(held.token());
    assertThat(results.get(call(new ReleaseCall("a", held.token())))).isEqualTo(false);
  }

  @Test
  void renewsByCallFromTheSendOfTheRequest() {
    Held held = hold(0);
    nanos = 50 * MILLI;
    long renew = call(new RenewCall("a", held.token(), HOLD));
    Ask ask = asked();
    assertThat(ask.number()).isEqualTo(2);
    nanos = 60 * MILLI;
    grant(ask, 0, 0, 1, 3);
    assertThat(told).singleElement().isInstanceOf(LeaseRenewed.class);
    LeaseRenewed renewed = (LeaseRenewed) told.get(0);
    assertThat(renewed.term().start().nanos()).isEqualTo(50 * MILLI);
    assertThat(results.get(renew)).isEqualTo(renewed.term());
  }

  @Test
  void aRenewalWithoutEnoughGrantsFailsAndTheLeaseIsLostAtItsEnd() {
    Held held = hold(0);
    nanos = 10 * MILLI;
    long renew = call(new RenewCall("a", held.token(), HOLD));
    grant(asked(), 0, 0, 1);
    nextTimer();
    assertThat(results.get(renew)).isInstanceOf(NoQuorumException.class);
    nextTimer();
    assertThat(told).containsExactly(new LeaseLost("a", held.token()));
    assertThat(nanos).isLessThanOrEqualTo(TIMING.leaseNanos(HOLD));
    long late = call(new RenewCall("a", held.token(), HOLD));
    assertThat(results.get(late)).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void renewsByItselfAsLongAsItWasTold() {
    hold(90 * MILLI);
    int renewals = 0;
    while (told.isEmpty()) {
      nextTimer();
      renewals += lastSent.get(new ServerId(0)) instanceof Ask ? 1 : 0;
    }
    assertThat(renewals).isEqualTo(2);
  }

  @Test
  void doesNotEnterWithGrantsThatLeaveLessThanTheHold() {
    call(Acquire.of("a", HOLD, Acquire.FOREVER));
    Ask ask = asked();
    grant(ask, 0, 0, 1);
    nanos = TIMING.windowNanos() + 1;
    grant(ask, 0, 2);
    assertThat(results).isEmpty();
    assertThat(lastSent).hasSize(4).containsValue(new Drop("a", ask.attempt(), 0));
  }

  @Test
  void failsWhatServersWillNeverGrant() {
    long call = call(Acquire.of("a", HOLD, Acquire.FOREVER));
    reject(asked(), Reason.TOO_MANY_LOCKS, 0);
    assertThat(results.get(call)).isInstanceOf(LockRefusedException.class);
    long tooLong = call(Acquire.of("a", TIMING.maxHoldNanos() + 1, 0));
    assertThat(results.get(tooLong)).isInstanceOf(LockRefusedException.class);
  }

  @Test
  void suspectsWhoGrantsWhatWasNeverAsked() {
    call(Acquire.of("a", HOLD, Acquire.FOREVER));
    Ask ask = asked();
    grant(new Ask("a", ask.attempt(), 2, 1), 0, 0, 1, 2);
    assertThat(told).hasSize(3).hasOnlyElementsOfType(Suspicion.class);
    assertThat(results).isEmpty();
  }
}
