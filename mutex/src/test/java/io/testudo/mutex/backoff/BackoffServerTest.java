package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.TimerKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackoffServerTest extends ServerStage {
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
    tries(ALICE, 1, 3, true);
    nanos = 50 * MILLI;
    tries(ALICE, 1, 2, true);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 3));
  }

  @Test
  void doesNotExtendAGrantForARequestThatArrivesAgain() {
    start();
    tries(ALICE, 1, 1, false);
    nanos = 50 * MILLI;
    tries(ALICE, 1, 1, false);
    nanos = SERVER_LEASE + 1;
    tries(BOB, 2, 1, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 1));
  }

  /** One that waits for other servers keeps what it has. */
  @Test
  void extendsAGrantForANewerRequestAndNamesThat() {
    start();
    tries(ALICE, 1, 1, true);
    nanos = 50 * MILLI;
    tries(ALICE, 1, 2, true);
    assertThat(sentTo(ALICE)).containsExactly(free(1, 2));
    nanos = SERVER_LEASE + 50 * MILLI;
    tries(BOB, 2, 1, false);
    assertLocked(BOB, 0);
    nanos++;
    tries(BOB, 2, 2, false);
    assertThat(sentTo(BOB)).containsExactly(free(2, 2));
  }

  @Test
  void refusesALeaseAboveTheMaximumInsteadOfShorteningIt() {
    start();
    tries(ALICE, 0, 1, TIMING.maxLeaseNanos() + 1, 1, false);
    assertThat(sentTo(ALICE))
        .containsExactly(
            new Refused(BASE + 1, RefusalReason.LEASE_TOO_LONG, TIMING.maxLeaseNanos()));
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
    step(new Input.Received<>(ALICE, new Release(LOCK, 1, BASE + 2)));
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
  void callsARequestStaleThatItsWithdrawalOvertookAtALockNeverHeardOf() {
    start();
    releases(BOB, 4);
    tries(BOB, 4, 1, true);
    assertStale(BOB, 4, -BASE);
  }

  @Test
  void renewsFromNowAndNeverShortens() {
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
  void letsNobodyRenewWhatIsReleasedOrPassed() {
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
  void showsTheSealOfARankThatIsAheadOfItsClock() {
    start();
    long ahead = RankClock.ofMillis(900);
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
