package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a client is told to do: nobody who tells it takes the room of others. */
class WorkTest {
  private static final ServerId LIAR = new ServerId(3);
  private static final int VOUCHERS = 2;

  private final Work work = new Work(VOUCHERS);
  private final Sessions sessions = new Sessions();

  private static SubmittedOperation operation(long session, long sequence, int bytes, int variant) {
    byte[] body = new byte[bytes];
    body[0] = (byte) variant;
    body[1] = (byte) (variant >> 8);
    return new SubmittedOperation(
        new OpId(session, sequence), sequence - 1, Bytes.copyOf(body), Optional.empty());
  }

  private void hear(ServerId from, SubmittedOperation operation, boolean proven) {
    work.hear(from, operation, proven, sessions);
  }

  private void hearFromTheHonest(SubmittedOperation operation) {
    for (int server = 0; server < VOUCHERS; server++) {
      hear(new ServerId(server), operation, false);
    }
  }

  @Test
  void variantsOfOneOperationTakeTheRoomOfOne() {
    for (int i = 0; i < 2_000; i++) {
      hear(LIAR, operation(1, 5, 1 << 20, i), false);
    }
    assertThat(work.memoryBytes()).isLessThan(2 << 20);
  }

  @Test
  void inventedOperationsTakeOnlyTheShareOfTheLiar() {
    for (int i = 1; i <= 20_000; i++) {
      hear(LIAR, operation(i, 5, 1_000, 0), false);
    }
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_TOLD_BYTES);
    SubmittedOperation honest = operation(-1, 5, 1_000, 0);
    hearFromTheHonest(honest);
    assertThat(work.inOrder()).containsExactly(honest);
  }

  @Test
  void oneServerHasOneWordForEachOperation() {
    hear(LIAR, operation(1, 5, 10, 1), false);
    hear(LIAR, operation(1, 5, 10, 1), false);
    assertThat(work.inOrder()).isEmpty();
    hear(new ServerId(0), operation(1, 5, 10, 1), false);
    assertThat(work.inOrder()).hasSize(1);
  }

  @Test
  void whoSubmitsMostMakesRoomForOthers() {
    for (int i = 1; i <= 100; i++) {
      hear(LIAR, operation(1, i, 1 << 20, 0), true);
    }
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_FOREIGN_BYTES);
    SubmittedOperation other = operation(2, 1, 1 << 20, 0);
    hear(LIAR, other, true);
    assertThat(work.inOrder()).contains(other);
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_FOREIGN_BYTES);
  }

  private static SubmittedOperation behindAGap(long session, int sequence) {
    return new SubmittedOperation(
        new OpId(session, sequence), 0, Bytes.copyOf(new byte[1_000]), Optional.empty());
  }

  @Test
  void whatIsBehindAGapTakesNoRoomOfWhatCanBeDone() {
    for (int i = 1; i <= 20_000; i++) {
      hear(LIAR, behindAGap(i, 3), true);
    }
    assertThat(work.inOrder()).isEmpty();
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_TOLD_BYTES);
    SubmittedOperation other = operation(-1, 1, 10, 0);
    hear(LIAR, other, true);
    assertThat(work.inOrder()).containsExactly(other);
  }

  @Test
  void whatIsBehindAGapIsDoneWhenTheGapIsClosed() {
    hear(LIAR, behindAGap(1, 3), true);
    hear(LIAR, behindAGap(1, 2), true);
    hear(LIAR, behindAGap(1, 4), true);
    assertThat(work.inOrder()).isEmpty();
    hear(LIAR, behindAGap(1, 1), true);
    assertThat(work.inOrder()).extracting(it -> it.id().sequence()).containsExactly(1L, 2L, 3L, 4L);

    hear(LIAR, behindAGap(2, 6), true);
    sessions.done(new EntryBody.Done(2, 5, 0, Bytes.EMPTY, Bytes.EMPTY), 1);
    work.forgetExpired(sessions);
    assertThat(work.inOrder()).extracting(it -> it.id().session()).contains(2L);
  }
}
