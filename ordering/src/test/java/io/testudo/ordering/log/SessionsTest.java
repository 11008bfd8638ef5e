package io.testudo.ordering.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Bytes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final Sessions sessions = new Sessions();

  private static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  private static EntryBody.Done done(long session, long sequence, long floor, Bytes result) {
    return new EntryBody.Done(session, sequence, floor, result, Bytes.EMPTY);
  }

  private static SubmittedOperation operation(long session, long sequence, long floor) {
    return new SubmittedOperation(
        new OpId(session, sequence), floor, Bytes.EMPTY, Optional.empty());
  }

  @Test
  void takesTheOperationsOfASessionInTheirOrderAndOnce() {
    assertThat(sessions.isNext(operation(7, 1, 0))).isTrue();
    assertThat(sessions.isNext(operation(7, 2, 0))).isFalse();
    sessions.done(done(7, 1, 0, bytes("a")), 4);
    assertThat(sessions.isNext(operation(7, 1, 0))).isFalse();
    assertThat(sessions.isNext(operation(7, 2, 0))).isTrue();
    assertThat(sessions.isNext(operation(7, 3, 0))).isFalse();
  }

  @Test
  void letsASubmitterThatHasAllItsResultsSkipNumbers() {
    assertThat(sessions.isNext(operation(7, 1000, 999))).isTrue();
    sessions.done(done(7, 1000, 999, bytes("a")), 4);
    assertThat(sessions.isNext(operation(7, 2000, 1998))).isFalse();
    assertThat(sessions.isNext(operation(7, 2000, 1999))).isTrue();
    assertThat(sessions.isNext(operation(7, 900, 899))).isFalse();
  }

  @Test
  void neverTakesAnOperationOfAnExpiredSessionAgain() {
    SubmittedOperation early = operation(1, 500, 499);
    sessions.done(done(1, 500, 499, bytes("a")), 1);
    for (long session = 2; session <= Sessions.MAX_SESSIONS + 1; session++) {
      assertThat(sessions.isExpired(early.id())).isTrue();
      sessions.done(done(session, 1000 + session, 999 + session, bytes("a")), session);
    }
    assertThat(sessions.outcome(early.id())).isNull();
    assertThat(sessions.isNext(early)).isFalse();
    assertThat(sessions.isExpired(early.id())).isTrue();

    Sessions read = Sessions.readFrom(written());
    assertThat(read.isNext(early)).isFalse();
    assertThat(read.isNext(operation(1, read.expiredUpTo() + 1, read.expiredUpTo()))).isTrue();
    assertThat(read.isNext(operation(-1, read.expiredUpTo() + 1, read.expiredUpTo()))).isTrue();
  }

  @Test
  void takesNothingThatFollowsAForgottenOperation() {
    sessions.done(done(1, 500, 499, bytes("a")), 1);
    for (long session = 2; session <= Sessions.MAX_SESSIONS + 1; session++) {
      sessions.done(done(session, 100, 99, bytes("a")), session);
    }
    SubmittedOperation follower =
        operation(1, 501, 499); // Submitted before the first was answered.
    assertThat(sessions.isNext(follower)).isFalse();
    assertThat(sessions.isExpired(follower)).isTrue();

    SubmittedOperation later = operation(1, 900, 899);
    assertThat(sessions.isExpired(later)).isFalse();
    sessions.done(done(1, 900, 899, bytes("b")), 20_000);
    assertThat(sessions.outcome(later.id())).isNotNull();
    assertThat(sessions.outcome(follower.id())).isNull(); // It never happened.
    assertThat(sessions.isExpired(follower.id())).isTrue();
  }

  private SnapshotBody written() {
    return sessions.with(Bytes.EMPTY);
  }

  @Test
  void remembersAResultUntilItsSubmitterHasIt() {
    sessions.done(done(7, 1, 0, bytes("a")), 4);
    assertThat(sessions.outcome(new OpId(7, 1)))
        .isEqualTo(new Sessions.Outcome(4, Optional.of(bytes("a"))));
    sessions.done(done(7, 2, 1, bytes("b")), 5);
    assertThat(sessions.outcome(new OpId(7, 1)))
        .isEqualTo(new Sessions.Outcome(0, Optional.empty()));
    assertThat(sessions.outcome(new OpId(7, 3))).isNull();
  }

  @Test
  void forgetsTheSessionThatWasNotUsedForLongest() {
    for (long session = 1; session <= Sessions.MAX_SESSIONS; session++) {
      sessions.done(done(session, 1, 0, bytes("a")), session);
    }
    sessions.done(done(1, 2, 0, bytes("a")), 1);
    sessions.done(done(-1, 1, 0, bytes("a")), 1);
    assertThat(sessions.outcome(new OpId(1, 1))).isNotNull();
    assertThat(sessions.outcome(new OpId(2, 1))).isNull();
  }

  @Test
  void forgetsTheOldestResultsWhenThereAreTooManyBytesOfThemButNotThatTheyAreDone() {
    Bytes large = Bytes.copyOf(new byte[Sessions.MAX_RESULT_BYTES / 4 - Sessions.ROW_BYTES]);
    for (long session = 1; session <= 5; session++) {
      sessions.done(done(session, 1, 0, large), session);
    }
    assertThat(sessions.outcome(new OpId(1, 1)))
        .isEqualTo(new Sessions.Outcome(0, Optional.empty()));
    assertThat(sessions.isNext(operation(1, 1, 0))).isFalse();
    assertThat(sessions.outcome(new OpId(2, 1)))
        .isEqualTo(new Sessions.Outcome(2, Optional.of(large)));

    Sessions read = Sessions.readFrom(written());
    read.done(done(6, 1, 0, large), 6);
    assertThat(read.outcome(new OpId(2, 1))).isEqualTo(new Sessions.Outcome(0, Optional.empty()));
    assertThat(read.outcome(new OpId(3, 1))).isEqualTo(new Sessions.Outcome(3, Optional.of(large)));
  }

  @Test
  void comesBackFromASnapshotAsItWas() {
    sessions.done(done(7, 1, 0, bytes("a")), 4);
    sessions.done(done(8, 1, 0, bytes("b")), 5);
    sessions.done(done(7, 2, 1, bytes("c")), 6);
    SnapshotBody body = written();
    Sessions read = Sessions.readFrom(body);
    assertThat(read.with(Bytes.EMPTY)).isEqualTo(body);
    assertThat(read.executed()).isEqualTo(sessions.executed());
  }

  @Test
  void leavesNumbersToOthersWhateverNumberAnOperationHas() {
    Sessions sessions = new Sessions();
    long now = 1_000_000;
    assertThat(sessions.isTooFarAhead(new OpId(1, now + Sessions.MAX_AHEAD_MICROS), now)).isFalse();
    assertThat(sessions.isTooFarAhead(new OpId(1, now + Sessions.MAX_AHEAD_MICROS + 1), now))
        .isTrue();
    assertThat(sessions.isTooFarAhead(new OpId(1, OpId.MAX_SEQUENCE), now)).isTrue();

    // Whoever was numbered by a clock that is wrong goes on all the same.
    long ahead = 1L << 60;
    sessions.done(done(2, ahead, 0, Bytes.EMPTY), 1);
    assertThat(sessions.isTooFarAhead(new OpId(2, ahead + 1), now)).isFalse();
    assertThat(sessions.isTooFarAhead(new OpId(2, ahead + Sessions.MAX_STEP + 1), now)).isTrue();
    for (int i = 0; i < Sessions.MAX_SESSIONS; i++) {
      sessions.done(done(100 + i, 5, 0, Bytes.EMPTY), 2);
    }
    assertThat(sessions.expiredUpTo()).isEqualTo(ahead);
    assertThat(sessions.isTooFarAhead(new OpId(3, ahead + 1), now)).isFalse();
  }

  private static EntryBody.Done deletion(long session, long sequence) {
    return new EntryBody.Done(
        session, sequence, sequence - 1, bytes("true"), bytes("deleted"), true);
  }

  @Test
  void remembersLittleOfADeletedObjectAndTakesNothingOfItAgain() {
    int sessionsBefore = 100;
    for (long session = 1; session <= sessionsBefore; session++) {
      sessions.done(done(session, 1000 + session, 999 + session, bytes("r".repeat(100))), session);
    }
    sessions.done(deletion(7, 5000), 101);

    assertThat(sessions.isAbsent()).isTrue();
    assertThat(sessions.isAbsentSince(100)).isTrue();
    assertThat(sessions.isAbsentSince(101)).isFalse();
    Sessions read = Sessions.readFrom(written());
    assertThat(read.isAbsent()).isTrue();
    assertThat(read.executed()).hasSize(Sessions.MAX_SESSIONS_OF_DELETED);
    assertThat(written().toBytes().size()).isLessThan(6_000);
    for (long session = 1; session <= sessionsBefore; session++) {
      assertThat(read.isNext(operation(session, 1000 + session, 999 + session))).isFalse();
      assertThat(read.isExpired(new OpId(session, 1000 + session))).isTrue();
    }
    assertThat(read.isNext(operation(7, 5000, 4999))).isFalse();
    assertThat(read.outcome(new OpId(7, 5000)))
        .isEqualTo(new Sessions.Outcome(101, Optional.of(bytes("true"))));
    assertThat(read.isNext(operation(100, 1101, 1100))).as("used lately").isTrue();
  }

  @Test
  void keepsTheResultsOfAllWhoHaveOneUnderWayBesideADeletion() {
    for (long session = 1; session < Sessions.MAX_SESSIONS_OF_DELETED; session++) {
      for (long sequence = 1; sequence <= 2; sequence++) {
        sessions.done(done(session, sequence, 0, bytes("a receipt of 34 bytes, or about...")), 1);
      }
    }
    sessions.done(deletion(99, 1), 2);
    for (long session = 1; session < Sessions.MAX_SESSIONS_OF_DELETED; session++) {
      assertThat(sessions.outcome(new OpId(session, 2)))
          .isNotEqualTo(new Sessions.Outcome(0, Optional.empty()));
    }
  }

  @Test
  void losesNoShortResultsToALongOneBesideADeletion() {
    for (long session = 1; session < Sessions.MAX_SESSIONS_OF_DELETED; session++) {
      Bytes result = session == 20 ? Bytes.copyOf(new byte[100_000]) : bytes("short");
      sessions.done(done(session, 1, 0, result), 1);
    }
    sessions.done(deletion(99, 1), 2);
    for (long session = 1; session < Sessions.MAX_SESSIONS_OF_DELETED; session++) {
      assertThat(sessions.outcome(new OpId(session, 1)))
          .isEqualTo(
              session == 20
                  ? new Sessions.Outcome(0, Optional.empty())
                  : new Sessions.Outcome(1, Optional.of(bytes("short"))));
    }
    assertThat(Sessions.readFrom(written()).with(Bytes.EMPTY)).isEqualTo(written());
  }

  @Test
  void isNotThereBeforeSomethingChanges() {
    assertThat(sessions.isAbsent()).isTrue();
    sessions.done(done(7, 1, 0, bytes("looked")), 1);
    assertThat(sessions.isAbsent()).isTrue();
    assertThat(Sessions.readFrom(written()).isAbsent()).isTrue();
    assertThat(sessions.isAbsentSince(0)).as("was deleted").isFalse();
    sessions.done(new EntryBody.Done(7, 2, 1, bytes("r"), bytes("effect")), 2);
    assertThat(sessions.isAbsent()).isFalse();
  }

  @Test
  void isThereAgainWhenSomethingChanges() {
    sessions.done(deletion(7, 1), 1);
    sessions.done(done(7, 2, 1, bytes("looked")), 2);
    assertThat(sessions.isAbsent()).isTrue();
    sessions.done(new EntryBody.Done(7, 3, 2, bytes("r"), bytes("effect")), 3);
    assertThat(sessions.isAbsent()).isFalse();
    assertThat(Sessions.readFrom(written()).isAbsent()).isFalse();
    assertThat(sessions.isAbsentSince(0)).isFalse();
  }
}
