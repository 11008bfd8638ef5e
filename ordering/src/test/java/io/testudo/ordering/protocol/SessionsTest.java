package io.testudo.ordering.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.testudo.ordering.protocol.proto.BaseBody;
import io.testudo.ordering.protocol.proto.EntryBody;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final Sessions sessions = new Sessions();

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static EntryBody.Done done(long session, long sequence, long floor, ByteString result) {
    return EntryBody.Done.newBuilder()
        .setSession(session)
        .setSequence(sequence)
        .setFloor(floor)
        .setResult(result)
        .build();
  }

  @Test
  void takesTheOperationsOfASessionInTheirOrderAndOnce() {
    assertThat(sessions.isNext(new OpId(7, 1))).isTrue();
    assertThat(sessions.isNext(new OpId(7, 2))).isFalse();
    sessions.done(done(7, 1, 0, bytes("a")), 4);
    assertThat(sessions.isNext(new OpId(7, 1))).isFalse();
    assertThat(sessions.isNext(new OpId(7, 2))).isTrue();
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
    ByteString large = ByteString.copyFrom(new byte[Sessions.MAX_RESULT_BYTES / 4]);
    for (long session = 1; session <= 5; session++) {
      sessions.done(done(session, 1, 0, large), session);
    }
    assertThat(sessions.outcome(new OpId(1, 1)))
        .isEqualTo(new Sessions.Outcome(0, Optional.empty()));
    assertThat(sessions.isNext(new OpId(1, 1))).isFalse();
    assertThat(sessions.outcome(new OpId(2, 1)))
        .isEqualTo(new Sessions.Outcome(2, Optional.of(large)));

    BaseBody.Builder body = BaseBody.newBuilder();
    sessions.writeTo(body);
    Sessions read = Sessions.readFrom(body.build());
    read.done(done(6, 1, 0, large), 6);
    assertThat(read.outcome(new OpId(2, 1))).isEqualTo(new Sessions.Outcome(0, Optional.empty()));
    assertThat(read.outcome(new OpId(3, 1))).isEqualTo(new Sessions.Outcome(3, Optional.of(large)));
  }

  @Test
  void comesBackFromABaseAsItWas() {
    sessions.done(done(7, 1, 0, bytes("a")), 4);
    sessions.done(done(8, 1, 0, bytes("b")), 5);
    sessions.done(done(7, 2, 1, bytes("c")), 6);
    BaseBody.Builder body = BaseBody.newBuilder();
    sessions.writeTo(body);
    Sessions read = Sessions.readFrom(body.build());
    BaseBody.Builder again = BaseBody.newBuilder();
    read.writeTo(again);
    assertThat(again.build()).isEqualTo(body.build());
    assertThat(read.executed()).isEqualTo(sessions.executed());
  }
}
