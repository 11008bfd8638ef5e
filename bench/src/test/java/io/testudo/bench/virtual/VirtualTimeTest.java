package io.testudo.bench.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime(5_000);
  private final List<String> happened = new ArrayList<>();

  private void runAll() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = time.runNext();
    }
  }

  @Test
  void letsEventsHappenInOrderOfTimeAndThenOfArrival() {
    time.after(2_000_000, () -> happened.add("later"));
    time.after(1_000_000, () -> happened.add("first"));
    time.after(1_000_000, () -> happened.add("second"));

    runAll();

    assertThat(happened).containsExactly("first", "second", "later");
    assertThat(time.now().nanos()).isEqualTo(2_000_000);
    assertThat(time.now().wallMillis()).isEqualTo(5_002);
  }

  @Test
  void forgetsCancelledEventsHoweverMany() {
    List<VirtualTime.Happening> cancelled = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      cancelled.add(time.after(10, () -> happened.add("cancelled")));
      time.after(20, () -> happened.add("kept"));
    }
    cancelled.forEach(VirtualTime.Happening::cancel);
    cancelled.forEach(VirtualTime.Happening::cancel);

    runAll();

    assertThat(happened).hasSize(5_000).containsOnly("kept");
  }

  @Test
  void cannotCancelWhatHasHappened() {
    VirtualTime.Happening past = time.after(10, () -> happened.add("past"));
    runAll();

    past.cancel();
    time.after(10, () -> happened.add("next"));
    runAll();

    assertThat(happened).containsExactly("past", "next");
  }

  @Test
  void runsUntilAnInstantAndNoFurther() {
    time.after(10, () -> happened.add("due"));
    time.after(11, () -> happened.add("not due"));

    assertThat(time.runUntil(10)).isTrue();

    assertThat(happened).containsExactly("due");
    assertThat(time.nowNanos()).isEqualTo(10);
  }
}
