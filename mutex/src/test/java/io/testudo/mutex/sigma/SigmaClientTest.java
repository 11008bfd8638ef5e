package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
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
import org.junit.jupiter.api.Test;

/** A client machine on its own, with four servers that the test plays; three grants are enough. */
class SigmaClientTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long HOLD = 100 * MILLI;
  private static final String LOCK = "printer";
  private static final Owner BOB = new Owner(50, 8, 0);

  private SigmaClient client = client(SigmaProtocol.CRASHES.thresholds(4, 1));
  private long nanos = 1_000;
  private long calls;
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final List<Effect<ServerId>> effects = new ArrayList<>();
  private final Map<Long, Object> results = new HashMap<>();
  private final List<Event> told = new ArrayList<>();

  /** The newest number that each server was sent. */
  private final long[] numbers = new long[4];

  private SigmaClient client(Thresholds thresholds) {
    SigmaClient made =
        new SigmaClient(thresholds, TIMING, SigmaTuning.standard(), Entropy.seeded(3));
    made.step(new Input.Started<>(List.of()), new Moment(0, 1_000_000));
    return made;
  }

  private Moment now() {
    return new Moment(nanos, 1_000_000 + nanos / MILLI);
  }

  private void step(Input<ServerId> input) {
    effects.clear();
    effects.addAll(client.step(input, now()));
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Complete<ServerId> complete) {
        results.put(complete.id().number(), complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        results.put(failure.id().number(), failure.reason());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        told.add(tell.event());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        noteNumber(send.to().index(), send.message());
      }
    }
  }

  private void noteNumber(int server, Message message) {
    if (message instanceof Request it) {
      numbers[server] = it.number();
    } else if (message instanceof Yield it) {
      numbers[server] = it.number();
    } else if (message instanceof Confirm it) {
      numbers[server] = it.number();
    } else if (message instanceof Inquiry it) {
      numbers[server] = it.number();
    }
  }

  private long call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++calls), call));
    return calls;
  }

  /** Asks for the lock, and gives the time of the epoch. */
  private long acquire() {
    call(Acquire.of(LOCK, HOLD, Acquire.FOREVER));
    return sent(0, Request.class).get(0).time();
  }

  private <M extends Message> List<M> sent(int server, Class<M> type) {
    List<M> sent = new ArrayList<>();
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send
          && send.to().index() == server
          && type.isInstance(send.message())) {
        sent.add(type.cast(send.message()));
      }
    }
    return sent;
  }

  private static GrantId id(long incarnation, long number) {
    return new GrantId(incarnation, number);
  }

  private void grants(int server, long time, GrantId grant, long fence) {
    grants(server, time, grant, fence, numbers[server], numbers[server]);
  }

  private void grants(int server, long time, GrantId grant, long fence, long echo, long leased) {
    Owner self = new Owner(time, 7, 0);
    hears(server, new Response(LOCK, 0, time, self, true, grant, 0, 0, echo, leased, fence));
  }

  private void shows(int server, long time, Owner owner, GrantId grant) {
    hears(
        server, new Response(LOCK, 0, time, owner, false, grant, 1, MILLI, numbers[server], 0, 0));
  }

  private void hears(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private void pass(long forNanos) {
    nanos += forNanos;
    for (Map.Entry<TimerKey, Long> timer : List.copyOf(timers.entrySet())) {
      if (timer.getValue() <= nanos && timers.remove(timer.getKey(), timer.getValue())) {
        step(new Input.TimerFired<>(timer.getKey()));
      }
    }
  }

  private long enter() {
    long time = acquire();
    for (int server = 0; server < 4; server++) {
      grants(server, time, id(server, 1), time);
    }
    assertThat(results.get(calls)).isInstanceOf(Held.class);
    return time;
  }

  @Test
  void entersWithEnoughGrantsAndTheirTokenCountingFromTheRequest() {
    Moment sent = now();
    long time = acquire();
    nanos += 5 * MILLI;
    grants(0, time, id(0, 1), time);
    grants(1, time, id(1, 1), time);
    assertThat(results).isEmpty();
    grants(2, time, id(2, 1), time);

    assertThat(results)
        .containsEntry(1L, new Held(LOCK, time, new Term(sent, TIMING.leaseNanos(HOLD))));
  }

  @Test
  void takesItsTimesFromTheWallClockAndFromWhatItHears() {
    long first = acquire();
    assertThat(first).isGreaterThanOrEqualTo(RankClock.atWall(1_000_000));
    long ahead = first + RankClock.ofMillis(500);
    shows(0, first, new Owner(ahead, 8, 0), id(0, 1));

    assertThat(acquire()).isGreaterThan(ahead);
  }

  @Test
  void confirmsTheHighestFenceWhereGrantsDisagree() {
    long time = acquire();
    grants(0, time, id(0, 1), time);
    grants(1, time, id(1, 1), time + 9);
    grants(2, time, id(2, 1), time);

    assertThat(results).isEmpty();
    assertThat(sent(0, Confirm.class)).extracting(Confirm::fence).containsExactly(time + 9);
    assertThat(sent(1, Confirm.class)).isEmpty();
    grants(0, time, id(0, 1), time + 9);
    grants(2, time, id(2, 1), time + 9);
    assertThat(results.get(1L))
        .isInstanceOfSatisfying(Held.class, held -> assertThat(held.token()).isEqualTo(time + 9));
  }

  @Test
  void confirmsGrantsWhoseLeaseDoesNotLeaveTheHold() {
    long time = acquire();
    nanos += TIMING.windowNanos() + MILLI; // It waited in the queues for longer than it may.
    for (int server = 0; server < 3; server++) {
      grants(server, time, id(server, 1), time, 1, 1);
    }
    assertThat(results).isEmpty();
    assertThat(sent(2, Confirm.class)).hasSize(1);
    for (int server = 0; server < 3; server++) {
      grants(server, time, id(server, 1), time);
    }

    assertThat(results.get(1L)).isInstanceOf(Held.class);
  }

  @Test
  void yieldsWhenNobodyCanHaveEnough() {
    long time = acquire();
    grants(0, time, id(0, 1), time);
    grants(1, time, id(1, 1), time);
    shows(2, time, BOB, id(2, 1));
    assertThat(sent(0, Yield.class)).as("three are still possible").isEmpty();
    shows(3, time, BOB, id(3, 1));

    assertThat(sent(0, Yield.class)).extracting(Yield::grant).containsExactly(id(0, 1));
    assertThat(sent(1, Yield.class)).hasSize(1);
    assertThat(sent(2, Yield.class)).isEmpty();
  }

  @Test
  void aYieldedGrantNeverCountsAgain() {
    long time = acquire();
    grants(0, time, id(0, 1), time);
    grants(1, time, id(1, 1), time);
    shows(2, time, BOB, id(2, 1));
    shows(3, time, BOB, id(3, 1));
    for (int server = 0; server < 2; server++) {
      grants(server, time, id(server, 1), time, 1, 1);
      hears(server, new Check(LOCK, 0, time, id(server, 1), 1, 1, time));
    }
    grants(2, time, id(2, 2), time);
    grants(3, time, id(3, 2), time);
    assertThat(results).isEmpty();
    grants(0, time, id(0, 2), time);

    assertThat(results.get(1L)).isInstanceOf(Held.class);
  }

  @Test
  void checksOnAYieldedGrantAreAnsweredByYieldingItAgain() {
    long time = acquire();
    grants(0, time, id(0, 1), time);
    shows(1, time, BOB, id(1, 1));
    shows(2, time, new Owner(60, 9, 0), id(2, 1));
    assertThat(sent(0, Yield.class)).hasSize(1);
    nanos += 2 * TIMING.delayNanos();
    hears(0, new Check(LOCK, 0, time, id(0, 1), 1, 1, time));

    assertThat(sent(0, Yield.class)).extracting(Yield::grant).containsExactly(id(0, 1));
  }

  @Test
  void waitsWhileAnotherHasEnoughAndMakesWayAfterAWhile() {
    long time = acquire();
    grants(0, time, id(0, 1), time);
    for (int server = 1; server < 4; server++) {
      shows(server, time, BOB, id(server, 1));
    }
    long yields = 0;
    for (long waited = 0; waited < 900 * MILLI; waited += MILLI) {
      pass(MILLI);
      yields += sent(0, Yield.class).size();
      effects.clear();
    }
    assertThat(yields).isZero();
    for (long waited = 0; waited < 200 * MILLI; waited += MILLI) {
      pass(MILLI);
      yields += sent(0, Yield.class).size();
      effects.clear();
    }
    assertThat(yields).isPositive();
  }

  /** Rule R1: without it, every hand-off passes through E3. */
  @Test
  void aGrantInThePlaceOfAnOwnerForgetsThatOwnerElsewhere() {
    long time = acquire();
    for (int server = 0; server < 4; server++) {
      shows(server, time, BOB, id(server, 1));
    }
    grants(0, time, id(0, 2), time);
    grants(1, time, id(1, 2), time);

    assertThat(sent(0, Yield.class)).isEmpty();
    grants(2, time, id(2, 2), time);
    assertThat(results.get(1L)).isInstanceOf(Held.class);
  }

  @Test
  void whatArrivesLateIsRecognisedByItsNumber() {
    long time = acquire();
    grants(0, time, id(0, 5), time);
    grants(1, time, id(1, 1), time);
    shows(2, time, BOB, id(2, 9));
    grants(2, time, id(2, 8), time); // Older than what it said before.
    assertThat(results).isEmpty();
    shows(0, time, BOB, id(0, 4));
    grants(3, time, id(3, 1), time);

    assertThat(results.get(1L)).isInstanceOf(Held.class);
  }

  @Test
  void aNewIncarnationVoidsTheGrantOfTheOldOne() {
    long time = acquire();
    grants(0, time, id(0, 5), time);
    grants(1, time, id(1, 1), time);
    nanos += 2 * TIMING.delayNanos();
    shows(0, time, BOB, id(100, 1)); // It has answered nothing newer, so it may be the older one.
    assertThat(sent(0, Inquiry.class)).hasSize(1);
    shows(0, time, BOB, id(100, 1));
    grants(2, time, id(2, 1), time);

    assertThat(results).isEmpty();
  }

  @Test
  void oneForgottenGrantDoesNotEndALeaseAndOneMoreDoes() {
    long time = enter();
    nanos += MILLI;
    long renewal = call(new RenewCall(LOCK, time, HOLD));
    shows(0, time, BOB, id(100, 1));
    assertThat(told).isEmpty();
    shows(1, time, BOB, id(101, 1));

    assertThat(told).containsExactly(new LeaseLost(LOCK, time));
    assertThat(results.get(renewal)).isInstanceOf(LeaseLostException.class);
    assertThat(sent(2, SigmaRelease.class)).extracting(SigmaRelease::token).containsExactly(time);
  }

  @Test
  void renewsWithEnoughAnswersAndCountsFromTheirRequest() {
    long time = enter();
    nanos += 10 * MILLI;
    Term longer = new Term(now(), TIMING.leaseNanos(HOLD));
    long renewal = call(new RenewCall(LOCK, time, HOLD));
    nanos += 5 * MILLI;
    grants(0, time, id(0, 1), time);
    grants(1, time, id(1, 1), time);
    assertThat(results).doesNotContainKey(renewal);
    grants(3, time, id(3, 1), time);

    assertThat(results).containsEntry(renewal, longer);
    assertThat(told).containsExactly(new LeaseRenewed(LOCK, time, longer));
  }

  @Test
  void losesALeaseThatWasNotRenewedAndTellsTheServers() {
    long time = enter();
    pass(TIMING.leaseNanos(HOLD));

    assertThat(told).containsExactly(new LeaseLost(LOCK, time));
    assertThat(sent(0, SigmaRelease.class)).hasSize(1);
    long release = call(new ReleaseCall(LOCK, time));
    assertThat(results).containsEntry(release, false);
    assertThat(client.acquisitions()).isZero();
  }

  @Test
  void answersGrantsAndChecksOfDeadEpochsByLeaving() {
    long time = enter();
    call(new ReleaseCall(LOCK, time));
    assertThat(sent(3, SigmaRelease.class)).extracting(SigmaRelease::token).containsExactly(time);
    hears(0, new Check(LOCK, 0, time, id(0, 1), 1, 1, time));
    assertThat(sent(0, SigmaRelease.class))
        .extracting(SigmaRelease::token)
        .containsExactly(SigmaRelease.UNKNOWN);
    nanos += 2 * TIMING.delayNanos() + 1; // Too late to have crossed the release.
    grants(1, time, id(1, 1), time);
    assertThat(sent(1, SigmaRelease.class)).hasSize(1);
    shows(1, time, BOB, id(1, 2));
    assertThat(effects).isEmpty();
  }

  @Test
  void suspectsAServerThatAnswersWhatItWasNotSent() {
    long time = acquire();
    grants(0, time, id(0, 1), time, 2, 1);
    grants(1, time, id(1, 1), time, 1, 2);
    hears(2, new Check(LOCK, 0, time, id(2, 1), 9, 1, time));
    grants(3, time, id(3, 1), time);

    assertThat(told).hasSize(3).hasOnlyElementsOfType(Suspicion.class);
    assertThat(results).isEmpty();
  }

  @Test
  void believesOneRefusalWhereNobodyLiesAndTwoWhereOneMay() {
    acquire();
    long time = sent(0, Request.class).get(0).time();
    hears(0, new SigmaRefused(time, RefusalReason.OTHER_BACKEND, 0));
    assertThat(results.get(1L))
        .isInstanceOfSatisfying(
            LockRefusedException.class,
            refusal -> assertThat(refusal).hasMessageContaining("another backend"));
    client = client(SigmaProtocol.HARDENED.thresholds(4, 1));
    acquire();
    long next = sent(0, Request.class).get(0).time();
    hears(0, new SigmaRefused(next, RefusalReason.OTHER_BACKEND, 0));
    hears(0, new SigmaRefused(next, RefusalReason.OTHER_BACKEND, 0));
    assertThat(results).doesNotContainKey(calls);
    hears(1, new SigmaRefused(next, RefusalReason.OTHER_BACKEND, 0));
    assertThat(results.get(calls)).isInstanceOf(LockRefusedException.class);
  }

  @Test
  void aLiarCannotUseUpTheTokensOfAHardenedCluster() {
    client = client(SigmaProtocol.HARDENED.thresholds(4, 1));
    long time = acquire();
    long far = time + RankClock.ofMillis(1L << 30);
    grants(0, time, id(0, 1), far);
    grants(1, time, id(1, 1), time);
    grants(2, time, id(2, 1), time);
    assertThat(results).as("a grant with such a fence does not count").isEmpty();
    assertThat(sent(1, Confirm.class)).as("no correct server learns of it").isEmpty();
    assertThat(sent(2, Confirm.class)).isEmpty();
    grants(3, time, id(3, 1), time);

    assertThat(results.get(1L))
        .isInstanceOfSatisfying(Held.class, held -> assertThat(held.token()).isEqualTo(time));
    assertThat(acquire()).isLessThan(far);
  }

  @Test
  void twoServersOfAHardenedClusterVouchForAFarFence() {
    client = client(SigmaProtocol.HARDENED.thresholds(4, 1));
    long time = acquire();
    long far = time + RankClock.ofMillis(1L << 30);
    grants(0, time, id(0, 1), far);
    grants(1, time, id(1, 1), far);
    grants(2, time, id(2, 1), time);
    grants(2, time, id(2, 1), far);

    assertThat(results.get(1L))
        .isInstanceOfSatisfying(Held.class, held -> assertThat(held.token()).isEqualTo(far));
  }
}
