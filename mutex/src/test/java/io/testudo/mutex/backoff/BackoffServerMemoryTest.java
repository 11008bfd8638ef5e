package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.TimerKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a server remembers, on disk and in memory. */
class BackoffServerMemoryTest extends ServerStage {
  @Test
  void journalsACeilingAheadOfItsGrantsOnceASecond() {
    start();
    assertThat(persisted()).containsExactly(new LongestLease(LONGEST));
    tries(ALICE, 1, 1, false);
    assertThat(persisted()).containsExactly(new RankCeiling(BASE + RankClock.ofMillis(1_000)));
    releases(ALICE, 1);
    tries(BOB, RankClock.ofMillis(999), 1, false);
    assertThat(persisted()).isEmpty();
    releases(BOB, RankClock.ofMillis(999));
    tries(BOB, RankClock.ofMillis(1_000) + 1, 1, false);
    assertThat(persisted()).containsExactly(new RankCeiling(BASE + RankClock.ofMillis(2_000)));
  }

  @Test
  void grantsNothingAfterARestartUntilAllItGrantedIsOver() {
    nanos = 77;
    start(new LongestLease(LONGEST), new RankCeiling(BASE + 10));
    tries(ALICE, 11, 1, false);
    assertQuarantined(ALICE, LONGEST);
    renews(BOB, 9, 1);
    assertQuarantined(BOB, LONGEST);
    nanos += LONGEST;
    tries(ALICE, 11, 1, false);
    assertLocked(ALICE, 0);
    nanos += 1;
    tries(ALICE, 11, 1, false);
    assertThat(sentTo(ALICE)).containsExactly(free(11, 1));
    tries(BOB, 12, 1, false);
    assertThat(sentTo(BOB))
        .singleElement()
        .isInstanceOfSatisfying(
            Locked.class, locked -> assertThat(locked.quarantined()).as("Alice has it").isFalse());
  }

  @Test
  void saysThatItGrantsNothingBeforeItIsToldWhatItForgot() {
    start(new CeilingsKnown(false));
    nanos = 2 * LONGEST;
    tries(ALICE, 11, 1, false);
    assertQuarantined(ALICE, Excuses.UNTIL_TOLD);
  }

  private void assertQuarantined(ClientId who, long remainingNanos) {
    assertThat(sentTo(who))
        .singleElement()
        .isInstanceOfSatisfying(
            Locked.class,
            locked -> {
              assertThat(locked.quarantined()).isTrue();
              assertThat(locked.remainingNanos()).isEqualTo(remainingNanos);
            });
  }

  @Test
  void waitsForTheLongestLeaseThatWasEverConfigured() {
    start(new LongestLease(3 * LONGEST), new RankCeiling(BASE + 10));
    nanos = 3 * LONGEST;
    tries(ALICE, 11, 1, false);
    assertLocked(ALICE, 0);
  }

  @Test
  void goesOnAboveTheCeilingAfterARestart() {
    start(new LongestLease(LONGEST), new RankCeiling(BASE + 10));
    nanos = LONGEST + 1;
    tries(ALICE, 10, 1, false);
    assertStale(ALICE, 10, 10);
    // A holder may come back with the rank it has.
    renews(BOB, 9, 2);
    assertThat(sentTo(BOB)).containsExactly(free(9, 2));
    releases(BOB, 9);
    tries(ALICE, 10, 1, false);
    assertStale(ALICE, 10, 10);
  }

  @Test
  void servesThoseWhoWaitedForTheEndOfTheQuarantine() {
    start(new LongestLease(LONGEST), new RankCeiling(BASE + 10));
    TimerKey quarantine = timers.keySet().iterator().next();
    nanos = LONGEST - 10;
    tries(ALICE, 11, 3, true);
    nanos = timers.getOrDefault(quarantine, 0L);
    step(new Input.TimerFired<>(quarantine));
    assertThat(sentTo(ALICE)).containsExactly(free(11, 3));
  }

  @Test
  void recoversFromItsSnapshotWhatItRecoversFromItsLog() {
    start(new LongestLease(3 * LONGEST));
    tries(ALICE, 1, 1, false);
    assertThat(server.snapshot())
        .containsExactlyInAnyOrder(
            new LongestLease(3 * LONGEST), new RankCeiling(BASE + RankClock.ofMillis(1_000)));
  }

  @Test
  void forgetsIdleLocksButNotHowFarTheirRanksWent() {
    server = new BackoffServer(TIMING, LockScope.everything(), 2);
    start();
    take("one", 5);
    take("two", 6);
    release("one", 5);
    take("three", 7);
    assertThat(server.locks()).isEqualTo(2);
    release("two", 6);
    take("one", 5);
    assertThat(sentTo(ALICE))
        .singleElement()
        .isInstanceOfSatisfying(
            Stale.class, stale -> assertThat(stale.last().time()).isEqualTo(BASE + 6));
  }

  @Test
  void refusesMoreLocksThanItCanRemember() {
    server = new BackoffServer(TIMING, LockScope.everything(), 1);
    start();
    take("one", 5);
    take("two", 6);
    assertThat(sentTo(ALICE))
        .containsExactly(new Refused(BASE + 6, RefusalReason.TOO_MANY_LOCKS, 1));
  }

  private void take(String lock, long rank) {
    step(
        new Input.Received<>(
            ALICE, new Try(lock, 0, BASE + rank, Optional.empty(), LEASE, 1, false)));
  }

  private void release(String lock, long rank) {
    step(new Input.Received<>(ALICE, new Release(lock, 0, BASE + rank)));
  }
}
