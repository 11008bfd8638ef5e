package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutex.lease.RankFloors;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.StateRecord;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ranks ahead of a server's clock: what it grants, what it keeps of them, and for which locks. */
class RankHorizonTest extends ServerStage {
  private static final long HOUR = RankClock.ofMillis(3_600_000);

  private void take(ClientId who, String lock, long time) {
    step(new Input.Received<>(who, new Try(lock, 0, time, Optional.empty(), LEASE, 1, false)));
  }

  private void giveBack(ClientId who, String lock, long time) {
    step(new Input.Received<>(who, new Release(lock, 0, time)));
  }

  private long horizon() {
    return TIMING.horizonAt(wallMillis);
  }

  private Refused tooFar(long time) {
    return new Refused(time, RefusalReason.CLOCK_AHEAD, horizon());
  }

  @Test
  void grantsARankUpToTheSkewAheadOfItsClockAndRefusesOneBeyond() {
    start();
    take(ALICE, "b", horizon() + 1);
    assertThat(sentTo(ALICE)).containsExactly(tooFar(horizon() + 1));
    assertThat(persisted()).isEmpty();
    take(ALICE, "a", horizon());
    assertThat(sentTo(ALICE)).containsExactly(new Free("a", 0, horizon(), 1));
    step(new Input.Received<>(ALICE, new Renew("c", 0, horizon() + 1, LEASE, 1)));
    assertThat(sentTo(ALICE)).containsExactly(tooFar(horizon() + 1));
  }

  @Test
  void isNotStoppedByTheHighestRankNorByACeilingFromBeyondIt() {
    start(new LongestLease(LONGEST), new RankCeiling(Long.MAX_VALUE));
    nanos = LONGEST + 1;
    take(ALICE, "a", RankClock.MAX_TIME);
    take(ALICE, "a", RankClock.MAX_TIME - 1);
    assertThat(sentTo(ALICE)).hasSize(1);
    assertThat(server.snapshot()).contains(new RankCeiling(RankClock.MAX_TIME));
    assertThatThrownBy(() -> take(ALICE, "a", RankClock.MAX_TIME + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("out of range");
  }

  @Test
  void aWithdrawalFromFarAheadDoesNotMakeLaterAttemptsStale() {
    start();
    giveBack(ALICE, LOCK, BASE + HOUR);
    tries(ALICE, 5, 1, false);
    assertThat(sentTo(ALICE)).containsExactly(free(5, 1));
  }

  @Test
  void goesOnWithALockThatIsAheadOfTheClockAndKeepsItsCeilingApart() {
    start();
    long ahead = BASE + HOUR;
    wallMillis += 3_600_000;
    take(ALICE, "a", ahead);
    giveBack(ALICE, "a", ahead);
    wallMillis -= 3_600_000;
    long next = ahead + RankClock.ofMillis(1_500);
    take(BOB, "a", next);
    assertThat(sentTo(BOB)).containsExactly(new Free("a", 0, next, 1));
    assertThat(persisted())
        .containsExactly(new NameCeiling("a", ahead + RankClock.ofMillis(2_000)));
    giveBack(BOB, "a", next);
    take(BOB, "a", next + RankClock.ofMillis(2_001));
    assertThat(sentTo(BOB)).containsExactly(tooFar(next + RankClock.ofMillis(2_001)));
  }

  @Test
  void recoversTheCeilingOfOneLockForThatLockOnly() {
    start(new LongestLease(LONGEST), new RankCeiling(BASE + 10), new NameCeiling("a", BASE + HOUR));
    nanos = LONGEST + 1;
    take(ALICE, "b", BASE + 11);
    assertThat(sentTo(ALICE)).containsExactly(new Free("b", 0, BASE + 11, 1));
    take(BOB, "a", BASE + 12);
    assertThat(sentTo(BOB))
        .singleElement()
        .isInstanceOfSatisfying(
            Stale.class, stale -> assertThat(stale.last().time()).isEqualTo(BASE + HOUR));
    assertThat(server.snapshot()).contains(new NameCeiling("a", BASE + HOUR));
  }

  @Test
  void makesRoomWhateverTheRanksOfIdleLocks() {
    int most = 32;
    server = new BackoffServer(TIMING, LockScope.everything(), most);
    start();
    for (int i = 0; i < most; i++) {
      take(ALICE, "ahead" + i, horizon());
      giveBack(ALICE, "ahead" + i, horizon());
    }
    take(BOB, "new", BASE + 5);
    assertThat(sentTo(BOB)).containsExactly(new Free("new", 0, BASE + 5, 1));
    take(BOB, "ahead0", BASE + 5);
    assertThat(sentTo(BOB)).hasOnlyElementsOfType(Stale.class);
  }

  @Test
  void keepsALimitedNumberOfFloorsAndFoldsThemIntoOneNearTheClock() {
    RankFloors floors = new RankFloors();
    for (int i = 0; i < RankFloors.MAX_NAMED; i++) {
      assertThat(floors.note("n" + i, 1_000 + i, 0, 5_000)).isTrue();
    }
    assertThat(floors.of("other")).isZero();
    assertThat(floors.note("more", 3_000, 0, 5_000)).isTrue();
    assertThat(floors.of("other")).isEqualTo(1_000);
    assertThat(floors.note("yet more", 3_001, 0, 1_000)).as("all are far ahead").isFalse();
    assertThat(floors.note("yet more", 3_001, 2_500, 2_500)).as("time has passed").isTrue();
    assertThat(floors.of("other")).isEqualTo(1_000 + RankFloors.MAX_NAMED - 1);
    assertThat(floors.of("more")).isEqualTo(3_000);
  }

  @Test
  void refusesMoreLocksAheadOfTheClockThanItMayKeepCeilingsOf() {
    StateRecord[] disk = new StateRecord[Ceilings.MAX_NAMED + 2];
    disk[0] = new LongestLease(LONGEST);
    disk[1] = new RankCeiling(BASE + HOUR);
    for (int i = 0; i < Ceilings.MAX_NAMED; i++) {
      disk[i + 2] = new NameCeiling("n" + i, BASE + 2 * HOUR);
    }
    start(disk);
    nanos = LONGEST + 1;
    long next = BASE + HOUR + 1;
    take(ALICE, "new", next);
    assertThat(sentTo(ALICE)).containsExactly(tooFar(next));
  }
}
