package io.testudo.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private record Planned(long atNanos, int number) {}

  private final EventQueue queue = new EventQueue();
  private final Entropy entropy = Entropy.seeded(17);
  private final List<Planned> happened = new ArrayList<>();
  private final List<Planned> planned = new ArrayList<>();

  /** As sorting would have it, whatever is added meanwhile, at one instant or at many. */
  @Test
  void letsEventsHappenInTheOrderOfTimeAndThenAsTheyWereAdded() {
    for (int i = 0; i < 2_000; i++) {
      add(entropy.nextInt(500));
    }
    while (queue.runNext()) {
      assertThat(queue.nowNanos()).isEqualTo(happened.get(happened.size() - 1).atNanos());
      if (planned.size() < 6_000) {
        add(entropy.nextInt(500));
        add(entropy.nextInt(3));
      }
    }
    List<Planned> sorted = new ArrayList<>(planned);
    sorted.sort(Comparator.comparingLong(Planned::atNanos).thenComparing(Planned::number));
    assertThat(happened).isEqualTo(sorted);
  }

  private void add(long delayNanos) {
    Alarm.Ring unused = plan(delayNanos);
  }

  private Alarm.Ring plan(long delayNanos) {
    Planned event = new Planned(queue.nowNanos() + delayNanos, planned.size());
    planned.add(event);
    return queue.after(delayNanos, () -> happened.add(event));
  }

  @Test
  void doesNotLetWhatWasCancelledHappen() {
    Alarm.Ring first = plan(1);
    add(2);
    Alarm.Ring last = plan(3);
    first.cancel();
    last.cancel();
    assertThat(queue.runNext()).isTrue();
    assertThat(queue.runNext()).isFalse();
    assertThat(happened).containsExactly(planned.get(1));
    assertThat(queue.nowNanos()).as("what did not happen takes no time").isEqualTo(2);
  }
}
