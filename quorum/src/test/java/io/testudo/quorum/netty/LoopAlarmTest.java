package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.testudo.quorum.spi.Alarm.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timers of a machine, on a real loop. Times are only as long as the order needs. */
@Timeout(60)
class LoopAlarmTest {
  private static final long MILLI = 1_000_000L;
  private static final long AN_HOUR = 3_600_000 * MILLI;

  private final EventLoopGroup loops = Loops.start("alarm-test", 1, () -> {});
  private final LoopAlarm alarm = new LoopAlarm(loops.next(), failed -> {});

  /** Touched on the loop only. */
  private final List<String> rung = new ArrayList<>();

  @AfterEach
  void stop() {
    Loops.end(loops);
  }

  private <T> T onLoop(Callable<T> task) throws Exception {
    return loops.next().submit(task).get();
  }

  private void ring(long delayNanos, String name) {
    Ring unused = alarm.after(delayNanos, () -> rung.add(name));
    assertThat(unused).isNotNull();
  }

  @Test
  void ringsWhatIsDueFirstWhateverWasSetFirst() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    onLoop(
        () -> {
          ring(AN_HOUR, "in an hour");
          return alarm.after(MILLI, first::countDown);
        });
    first.await();
    assertThat(onLoop(() -> List.copyOf(rung))).isEmpty();
    assertThat(onLoop(alarm::waiting)).isEqualTo(1);
  }

  @Test
  void doesNotRingEarly() throws Exception {
    CountDownLatch rang = new CountDownLatch(1);
    long before = System.nanoTime();
    onLoop(() -> alarm.after(20 * MILLI, rang::countDown));
    rang.await();
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20 * MILLI);
  }

  @Test
  void ringsWhatIsDueAtOnceAfterWhatIsUnderWay() throws Exception {
    List<String> meanwhile =
        onLoop(
            () -> {
              ring(0, "first");
              Ring cancelled = alarm.after(0, () -> rung.add("cancelled"));
              ring(0, "second");
              cancelled.cancel();
              return List.copyOf(rung);
            });
    assertThat(meanwhile).isEmpty();
    assertThat(onLoop(() -> List.copyOf(rung))).containsExactly("first", "second");
    assertThat(onLoop(alarm::waiting)).isZero();
  }

  @Test
  void doesNotRingWhatWasCancelledAndRingsTheRest() throws Exception {
    CountDownLatch last = new CountDownLatch(1);
    onLoop(
        () -> {
          Ring cancelled = alarm.after(MILLI, () -> rung.add("cancelled"));
          ring(2 * MILLI, "kept");
          cancelled.cancel();
          cancelled.cancel();
          return alarm.after(3 * MILLI, last::countDown);
        });
    last.await();
    assertThat(onLoop(() -> List.copyOf(rung))).containsExactly("kept");
  }

  @Test
  void letsATaskSetAndCancelTimers() throws Exception {
    CountDownLatch last = new CountDownLatch(1);
    onLoop(
        () -> {
          Ring later = alarm.after(AN_HOUR, () -> rung.add("later"));
          return alarm.after(
              MILLI,
              () -> {
                later.cancel();
                ring(0, "at once");
                Ring unused = alarm.after(MILLI, last::countDown);
                assertThat(unused).isNotNull();
              });
        });
    last.await();
    assertThat(onLoop(() -> List.copyOf(rung))).containsExactly("at once");
  }

  @Test
  void goesOnAfterManyWereCancelled() throws Exception {
    CountDownLatch last = new CountDownLatch(1);
    onLoop(
        () -> {
          List<Ring> many = new ArrayList<>();
          for (int i = 0; i < 10_000; i++) {
            many.add(alarm.after(AN_HOUR + i, () -> rung.add("cancelled")));
          }
          ring(MILLI, "kept");
          many.forEach(Ring::cancel);
          assertThat(alarm.waiting()).isLessThan(100);
          return alarm.after(2 * MILLI, last::countDown);
        });
    last.await();
    assertThat(onLoop(() -> List.copyOf(rung))).containsExactly("kept");
    assertThat(onLoop(alarm::waiting)).isLessThan(100);
  }
}
