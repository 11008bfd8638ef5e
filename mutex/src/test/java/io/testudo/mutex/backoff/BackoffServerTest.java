package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackoffServerTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long LEASE = TIMING.leaseNanos(100 * MILLI);
  private static final long SERVER_LEASE = TIMING.serverLeaseNanos(LEASE);
  private static final long LONGEST = TIMING.serverLeaseNanos(TIMING.maxLeaseNanos());
  private static final String LOCK = "printer";
  private static final ClientId ALICE = new ClientId("alice", 7, 1);
  private static final ClientId BOB = new ClientId("bob", 8, 1);
  private static final ClientId CAROL = new ClientId("carol", 9, 1);

  /** Ranks of this test: the same millisecond as its wall clock, in order. */
  private static final long BASE = RankClock.atWall(1_000_000);

  private BackoffServer server = new BackoffServer(TIMING);
  private long nanos;
  private long wallMillis = 1_000_001;
  private final List<Effect<ClientId>> effects = new ArrayList<>();
  private final Map<TimerKey, Long> timers = new HashMap<>();

  private void step(Input<ClientId> input) {
    effects.clear();
    effects.addAll(server.step(input, new Moment(nanos, wallMillis)));
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ClientId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      }
    }
  }

  private void start(StateRecord... recovered) {
    step(new Input.Started<>(List.of(recovered)));
  }

  private List<Message> sentTo(ClientId client) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Send<ClientId> send && send.to().equals(client)) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  private List<StateRecord> persisted() {
    List<StateRecord> records = new ArrayList<>();
    for (Effect<ClientId> effect : effects) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        records.add(persist.record());
      }
    }
    return records;
  }

  private void tries(ClientId who, long rank, long number, boolean joins) {
    tries(who, 0, rank, LEASE, number, joins);
  }

  private void tries(
      ClientId who, long contender, long rank, long leaseNanos, long number, boolean joins) {
    step(
        new Input.Received<>(
            who,
            new Try(LOCK, contender, BASE + rank, Optional.empty(), leaseNanos, number, joins)));
  }

  private void renews(ClientId who, long rank, long number) {
    step(new Input.Received<>(who, new Prolong(LOCK, 0, BASE + rank, LEASE, number)));
  }

  private void releases(ClientId who, long rank) {
    step(new Input.Received<>(who, new GiveBack(LOCK, 0, BASE + rank)));
  }

  private static Free free(long rank, long number) {
    return new Free(LOCK, 0, BASE + rank, number);
  }

  private void assertStale(ClientId who, long rank, long last) {
    assertThat(sentTo(who))
        .singleElement()
        .isInstanceOfSatisfying(
            Stale.class,
            stale -> {
              assertThat(stale.time()).isEqualTo(BASE + rank);
              assertThat(stale.last().time()).isEqualTo(BASE + last);
            });
  }

  private void assertLocked(ClientId who, long remainingNanos) {
    assertThat(sentTo(who))
        .singleElement()
        .isInstanceOfSatisfying(
            Locked.class, locked -> assertThat(locked.remainingNanos()).isEqualTo(remainingNanos));
  }

  @Test
  void grantsAFreeLock() {
    start();
    tries(ALICE, 1, 1, false);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 1));
  }

  @Test
  void deniesAnotherUntilTheLeaseIsOverOnAFastClock() {
    start();
    tries(ALICE, 1, 1, false);
    nanos = SERVER_LEASE;
    tries(BOB, 2, 1, false);
    assertLocked(BOB, 0);
    nanos = SERVER_LEASE + 1;
    tries(BOB, 2, 2, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 2));
    assertThat(SERVER_LEASE).isGreaterThan(LEASE * 12 / 10);
  }

  @Test
  void repeatsAGrantWithTheRequestItWasMadeFor() {
    start();
    tries(ALICE, 1, 1, true);
    nanos = 50 * MILLI;
    tries(ALICE, 1, 3, true);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 1));
  }

  @Test
  void doesNotExtendAGrantThatIsAskedForAgain() {
    start();
    tries(ALICE, 1, 1, false);
    nanos = 50 * MILLI;
    tries(ALICE, 1, 2, false);
    nanos = SERVER_LEASE + 1;
    tries(BOB, 2, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
  }

  @Test
  void refusesALeaseAboveTheMaximumInsteadOfShorteningIt() {
    start();
    tries(ALICE, 0, 1, TIMING.maxLeaseNanos() + 1, 1, false);
    assertThat(sentTo(ALICE))
        .containsExactly(
            new Refused(BASE + 1, Refused.Reason.LEASE_TOO_LONG, TIMING.maxLeaseNanos()));
    tries(BOB, 2, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
  }

  @Test
  void callsARankStaleThatIsNotAboveTheLast() {
    start();
    tries(ALICE, 5, 1, false);
    releases(ALICE, 5);
    tries(BOB, 5, 1, false);
    assertStale(BOB, 5, 5);
    tries(BOB, 4, 1, false);
    assertStale(BOB, 4, 5);
    tries(BOB, 6, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(6, 1));
  }

  @Test
  void freesTheLockAtOnceWhenItsOwnerReleasesIt() {
    start();
    tries(ALICE, 1, 1, false);
    releases(ALICE, 1);
    tries(BOB, 2, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
  }

  @Test
  void freesNothingOnAReleaseOfAnotherClientOrRank() {
    start();
    tries(ALICE, 2, 1, false);
    releases(BOB, 2);
    releases(ALICE, 1);
    releases(ALICE, 3);
    step(new Input.Received<>(ALICE, new GiveBack(LOCK, 1, BASE + 2)));
    tries(CAROL, 9, 1, false);
    assertLocked(CAROL, SERVER_LEASE);
  }

  @Test
  void takesANewAttemptOfTheOwnerAsItsRelease() {
    start();
    tries(ALICE, 1, 1, false);
    tries(ALICE, 2, 1, false);
    assertThat(sentTo(ALICE)).containsExactly(free(2, 1));
  }

  @Test
  void keepsContendersOfOneProcessApart() {
    start();
    tries(ALICE, 0, 1, LEASE, 1, false);
    tries(ALICE, 1, 2, LEASE, 1, false);
    assertLocked(ALICE, SERVER_LEASE);
  }

  @Test
  void callsTheLowestRankFirstWhenTheLockBecomesFree() {
    start();
    tries(ALICE, 1, 1, false);
    tries(BOB, 5, 1, true);
    tries(CAROL, 3, 1, true);
    tries(CAROL, 3, 2, true);
    releases(ALICE, 1);
    assertThat(sentTo(CAROL)).containsExactly(free(3, 2));
    assertThat(sentTo(BOB)).isEmpty();
    releases(CAROL, 3);
    assertThat(sentTo(BOB)).containsExactly(free(5, 1));
  }

  @Test
  void callsAWaiterWhenALeaseRunsOut() {
    start();
    tries(ALICE, 0, 1, MILLI, 1, false);
    long serverLease = TIMING.serverLeaseNanos(MILLI);
    tries(BOB, 2, 1, true);
    Map.Entry<TimerKey, Long> timer = timers.entrySet().iterator().next();
    assertThat(timer.getValue()).isEqualTo(serverLease + 1);
    nanos = timer.getValue();
    step(new Input.TimerFired<>(timer.getKey()));
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
  }

  @Test
  void servesWaitersBeforeAnewcomerEvenIfTheTimerIsLate() {
    start();
    tries(ALICE, 0, 1, MILLI, 1, false);
    tries(BOB, 2, 1, true);
    nanos = TIMING.serverLeaseNanos(MILLI) + 5;
    tries(CAROL, 3, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
    assertLocked(CAROL, SERVER_LEASE);
  }

  @Test
  void skipsAWaiterThatWasNotHeardOfForLong() {
    start();
    tries(ALICE, 1, 1, false);
    tries(BOB, 2, 1, true);
    nanos = TIMING.waiterExpiryNanos() + 1;
    tries(CAROL, 3, 1, true);
    releases(ALICE, 1);
    assertThat(sentTo(BOB)).isEmpty();
    assertThat(sentTo(CAROL)).containsExactly(free(3, 1));
  }

  @Test
  void neverGrantsAWaiterWhoseRankHasBeenPassed() {
    start();
    tries(ALICE, 1, 1, false);
    tries(BOB, 2, 1, true);
    releases(ALICE, 1);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
    // Alice waits below Bob's rank only if she joined before it was granted.
    tries(ALICE, 2, 1, true);
    assertStale(ALICE, 2, 2);
    releases(BOB, 2);
    assertThat(sentTo(ALICE)).isEmpty();
  }

  @Test
  void forgetsAWaiterThatWithdraws() {
    start();
    tries(ALICE, 1, 1, false);
    tries(BOB, 2, 1, true);
    releases(BOB, 2);
    releases(ALICE, 1);
    assertThat(sentTo(BOB)).isEmpty();
    assertThat(server.owner(LOCK, nanos)).isEmpty();
  }

  @Test
  void callsARequestStaleThatItsOwnWithdrawalOvertook() {
    start();
    tries(ALICE, 1, 1, false);
    releases(BOB, 4);
    releases(ALICE, 1);
    tries(BOB, 4, 1, true);
    assertStale(BOB, 4, 1);
    // Others are not held up by it: the last rank is what it was.
    tries(CAROL, 3, 1, false);
    assertThat(sentTo(CAROL)).containsExactly(free(3, 1));
  }

  @Test
  void prolongsFromNowAndNeverShortens() {
    start();
    tries(ALICE, 0, 1, TIMING.maxLeaseNanos(), 1, false);
    renews(ALICE, 1, 2);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 2));
    nanos = LONGEST;
    tries(BOB, 2, 1, false);
    assertLocked(BOB, 0);
    renews(ALICE, 1, 3);
    nanos += SERVER_LEASE;
    tries(BOB, 2, 1, false);
    assertLocked(BOB, 0);
  }

  @Test
  void letsAHolderComeBackToAServerThatWasAway() {
    start();
    renews(ALICE, 1, 4);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 4));
    tries(BOB, 2, 1, false);
    assertLocked(BOB, SERVER_LEASE);
  }

  @Test
  void letsNobodyProlongWhatIsReleasedOrPassed() {
    start();
    tries(ALICE, 1, 1, false);
    releases(ALICE, 1);
    renews(ALICE, 1, 2);
    assertStale(ALICE, 1, 1);
    tries(BOB, 2, 1, false);
    renews(ALICE, 1, 2);
    assertLocked(ALICE, SERVER_LEASE);
    releases(BOB, 2);
    renews(ALICE, 1, 3);
    assertStale(ALICE, 1, 2);
  }

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
    assertLocked(ALICE, LONGEST);
    renews(BOB, 9, 1);
    assertLocked(BOB, LONGEST);
    nanos += LONGEST;
    tries(ALICE, 11, 1, false);
    assertLocked(ALICE, 0);
    nanos += 1;
    tries(ALICE, 11, 1, false);
    assertThat(sentTo(ALICE)).containsExactly(free(11, 1));
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
    server = new BackoffServer(TIMING, 2);
    start();
    take("one", 5);
    take("two", 6);
    giveBack("one", 5);
    take("three", 7);
    assertThat(server.locks()).isEqualTo(2);
    giveBack("two", 6);
    take("one", 5);
    assertThat(sentTo(ALICE))
        .singleElement()
        .isInstanceOfSatisfying(
            Stale.class, stale -> assertThat(stale.last().time()).isEqualTo(BASE + 6));
  }

  @Test
  void refusesMoreLocksThanItCanRemember() {
    server = new BackoffServer(TIMING, 1);
    start();
    take("one", 5);
    take("two", 6);
    assertThat(sentTo(ALICE))
        .containsExactly(new Refused(BASE + 6, Refused.Reason.TOO_MANY_LOCKS, 1));
  }

  private void take(String lock, long rank) {
    step(
        new Input.Received<>(
            ALICE, new Try(lock, 0, BASE + rank, Optional.empty(), LEASE, 1, false)));
  }

  private void giveBack(String lock, long rank) {
    step(new Input.Received<>(ALICE, new GiveBack(lock, 0, BASE + rank)));
  }

  @Test
  void showsTheSealOfARankThatIsAheadOfItsClock() {
    start();
    long ahead = RankClock.ofMillis(5_000);
    tries(ALICE, ahead, 1, false);
    tries(BOB, ahead + 1, 1, false);
    assertThat(sentTo(BOB))
        .singleElement()
        .isInstanceOfSatisfying(
            Locked.class,
            locked ->
                assertThat(locked.last())
                    .isEqualTo(new SealedRank(BASE + ahead, ALICE.session(), Optional.empty())));
  }
}
