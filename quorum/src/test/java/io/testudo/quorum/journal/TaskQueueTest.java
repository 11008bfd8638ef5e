package io.testudo.quorum.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TaskQueueTest {
  private static final int RECORD_BYTES = 100;
  private static final int ROOM_BYTES = 3 * (RECORD_BYTES + Task.OVERHEAD_BYTES);
  private static final int TASKS = 50;

  private final TaskQueue queue = new TaskQueue(ROOM_BYTES);

  private Thread producer() {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < TASKS; i++) {
                queue.add(new Task.Append(new byte[RECORD_BYTES]));
              }
            });
    thread.start();
    return thread;
  }

  private static void awaitStandstill(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  @Test
  void makesTheLoopWaitForTheDiskBeyondItsRoom() throws Exception {
    Thread producer = producer();
    int done = 0;
    while (done < TASKS) {
      awaitStandstill(producer);
      TaskQueue.Group group = queue.take();
      awaitStandstill(producer);
      TaskQueue.Group next = queue.take();
      assertThat(group.bytes() + next.bytes())
          .as("what is taken and not done counts too")
          .isLessThanOrEqualTo(ROOM_BYTES);
      done += group.tasks().size() + next.tasks().size();
      queue.done(group);
      queue.done(next);
    }
    producer.join();
  }

  @Test
  void letsASingleTaskInHoweverLongItIs() {
    queue.add(new Task.Append(new byte[10 * ROOM_BYTES]));
    assertThat(queue.take().tasks()).hasSize(1);
  }

  @Test
  void letsGoOfTheLoopWhenTheDiskHasFailed() throws Exception {
    Thread producer = producer();
    awaitStandstill(producer);
    queue.breakOff();
    producer.join();
    assertThat(queue.take().tasks()).hasSize(3);
  }

  @Test
  void takesNothingAfterItsEnd() {
    assertThat(queue.close()).isTrue();
    assertThat(queue.close()).isFalse();
    assertThatThrownBy(() -> queue.add(new Task.Tell(() -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
