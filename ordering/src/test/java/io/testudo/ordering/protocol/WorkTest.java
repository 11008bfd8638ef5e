package io.testudo.ordering.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.testudo.quorum.ServerId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a client is told to do: nobody who tells it takes the room of others. */
class WorkTest {
  private static final ServerId LIAR = new ServerId(3);
  private static final int VOUCHERS = 2;

  private final Work work = new Work(VOUCHERS);

  private static Operation operation(long session, long sequence, int bytes, int variant) {
    byte[] body = new byte[bytes];
    body[0] = (byte) variant;
    body[1] = (byte) (variant >> 8);
    return new Operation(
        new OpId(session, sequence), sequence - 1, ByteString.copyFrom(body), Optional.empty());
  }

  private void hearFromTheHonest(Operation operation) {
    for (int server = 0; server < VOUCHERS; server++) {
      work.hear(new ServerId(server), operation, /* proven= */ false);
    }
  }

  @Test
  void variantsOfOneOperationTakeTheRoomOfOne() {
    for (int i = 0; i < 2_000; i++) {
      work.hear(LIAR, operation(1, 5, 1 << 20, i), false);
    }
    assertThat(work.memoryBytes()).isLessThan(2 << 20);
  }

  @Test
  void inventedOperationsTakeOnlyTheShareOfTheLiar() {
    for (int i = 1; i <= 20_000; i++) {
      work.hear(LIAR, operation(i, 5, 1_000, 0), false);
    }
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_TOLD_BYTES);
    Operation honest = operation(-1, 5, 1_000, 0);
    hearFromTheHonest(honest);
    assertThat(work.inOrder()).containsExactly(honest);
  }

  @Test
  void oneServerHasOneWordForEachOperation() {
    work.hear(LIAR, operation(1, 5, 10, 1), false);
    work.hear(LIAR, operation(1, 5, 10, 1), false);
    assertThat(work.inOrder()).isEmpty();
    work.hear(new ServerId(0), operation(1, 5, 10, 1), false);
    assertThat(work.inOrder()).hasSize(1);
  }

  @Test
  void whoSubmitsMostMakesRoomForOthers() {
    for (int i = 1; i <= 100; i++) {
      work.hear(LIAR, operation(1, i, 1 << 20, 0), /* proven= */ true);
    }
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_FOREIGN_BYTES);
    Operation other = operation(2, 1, 1 << 20, 0);
    work.hear(LIAR, other, true);
    assertThat(work.inOrder()).contains(other);
    assertThat(work.memoryBytes()).isLessThanOrEqualTo(Work.MAX_FOREIGN_BYTES);
  }

  @Test
  void whatIsBehindAGapWaitsAtTheServers() {
    Sessions sessions = new Sessions();
    Operation behind = new Operation(new OpId(1, 3), 0, ByteString.EMPTY, Optional.empty());
    assertThat(work.canFollow(behind, sessions)).isFalse();
    work.hear(LIAR, operation(1, 2, 10, 0), true);
    assertThat(work.canFollow(behind, sessions)).isTrue();
  }
}
