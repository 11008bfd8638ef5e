package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Contender;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import org.junit.jupiter.api.Test;

/** What a server keeps of one lock: the grant, those who wait, and attempts that are over. */
class GrantRecordsTest {
  private static final long EXPIRY = 50;

  private record Patient(Contender contender, long time, long awaitedNanos)
      implements WaitingLine.Member {}

  private final WaitingLine<Patient> line = new WaitingLine<>();

  private static Contender contender(long number) {
    return new Contender(new ClientId("alice", 7, 1), number);
  }

  private void joins(long number, long time, long awaitedNanos) {
    line.put(new Patient(contender(number), time, awaitedNanos));
  }

  private long first(long nowNanos) {
    Patient taken = line.takeFirst(new Moment(nowNanos, 0), EXPIRY);
    return taken == null ? -1 : taken.contender().number();
  }

  @Test
  void aGrantIsGoodInItsLastInstantAlsoWhenTheClockComesRound() {
    LockGrant grant = new LockGrant(contender(1), 5, 1, Long.MAX_VALUE);

    assertThat(grant.isOver(Long.MAX_VALUE)).isFalse();
    assertThat(grant.isOver(Long.MAX_VALUE + 1)).isTrue();
  }

  @Test
  void theEndOfAGrantAndTheNumberOfItsMessageNeverMoveBack() {
    LockGrant grant = new LockGrant(contender(1), 5, 3, 1_000);

    assertThat(grant.extended(1_500, 4)).isEqualTo(new LockGrant(contender(1), 5, 4, 1_500));
    assertThat(grant.extended(900, 2)).isEqualTo(grant);
  }

  @Test
  void aGrantIsOfOneAttemptOfOneContender() {
    LockGrant grant = new LockGrant(contender(1), 5, 3, 1_000);

    assertThat(grant.isOf(contender(1), 5)).isTrue();
    assertThat(grant.isOf(contender(1), 6)).isFalse();
    assertThat(grant.isOf(contender(2), 5)).isFalse();
  }

  @Test
  void theEarliestRequestIsFirstAndAmongEqualsTheLowestContender() {
    joins(3, 20, 0);
    joins(2, 10, 0);
    joins(1, 20, 0);

    assertThat(line.positionOf(contender(2))).isEqualTo(1);
    assertThat(line.positionOf(contender(3))).isEqualTo(3);
    assertThat(line.positionOf(contender(9))).isZero();
    assertThat(first(0)).isEqualTo(2);
    assertThat(first(0)).isEqualTo(1);
    assertThat(first(0)).isEqualTo(3);
    assertThat(first(0)).isEqualTo(-1);
  }

  @Test
  void aContenderWaitsOnceWithWhatItSaidLast() {
    joins(1, 10, 0);
    joins(2, 20, 0);
    joins(1, 30, 0);

    assertThat(line.size()).isEqualTo(2);
    assertThat(first(0)).isEqualTo(2);
    line.remove(contender(1));
    assertThat(line.isEmpty()).isTrue();
  }

  @Test
  void whoWasNotHeardOfForLongIsSkippedAndIsGone() {
    joins(1, 10, 0);
    joins(2, 20, 1);

    assertThat(first(EXPIRY + 1)).isEqualTo(2);
    assertThat(line.find(contender(1))).isNull();
    assertThat(line.isEmpty()).isTrue();
  }

  @Test
  void aFullLineTakesNobodyInButRenewsThoseWhoAreThere() {
    for (int i = 0; i < WaitingLine.MAX_WAITING; i++) {
      joins(i, 100 + i, 0);
    }
    joins(WaitingLine.MAX_WAITING, 1, 0);
    joins(5, 2, 0);

    assertThat(line.size()).isEqualTo(WaitingLine.MAX_WAITING);
    assertThat(line.positionOf(contender(WaitingLine.MAX_WAITING - 2)))
        .isEqualTo(WaitingLine.LAST_COUNTED);
    assertThat(first(0)).isEqualTo(5);
  }

  @Test
  void aWithdrawalCoversEarlierAttemptsAndTheOldestIsForgottenFirst() {
    Withdrawals withdrawals = new Withdrawals();
    withdrawals.mark(contender(0), 10);
    withdrawals.mark(contender(0), 8);

    assertThat(withdrawals.cover(contender(0), 10)).isTrue();
    assertThat(withdrawals.cover(contender(0), 11)).isFalse();
    assertThat(withdrawals.cover(contender(1), 1)).isFalse();

    for (int i = 1; i <= Withdrawals.MAX_MARKS; i++) {
      withdrawals.mark(contender(i), 10);
    }
    assertThat(withdrawals.cover(contender(0), 10)).isFalse();
    assertThat(withdrawals.cover(contender(1), 10)).isTrue();
  }
}
