package io.testudo.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HarmTrialTest {
  private static final long SLICE_NANOS = 10_000_000;
  private static final long DRAIN_MILLIS = 60_000;
  private static final HarmPlan PLAN = new HarmPlan(ServerHarm.STOP, 4, 5, 6, SLICE_NANOS);

  /** What a system does while it is harmed. */
  private enum Ill {
    /** Answers when it is mended. */
    SILENT,
    FAILING,
    LYING
  }

  private final ExecutorService answering = Executors.newSingleThreadExecutor();
  private final List<Completion> held = new ArrayList<>();
  private @Nullable Ill ill;
  private long harmedNanos;
  private long mendedNanos;

  @AfterEach
  void end() {
    answering.shutdownNow();
  }

  /** All of it is on one thread, so that nothing is answered once it is harmed. */
  private final class FakeSession implements Session {
    @Override
    public void start(int client, Completion completion) {
      answering.execute(() -> answer(completion));
    }

    @Override
    public void close() {}
  }

  private void answer(Completion completion) {
    if (ill == null) {
      completion.done();
    } else if (ill == Ill.FAILING) {
      completion.failed(new IllegalStateException("ill"));
    } else if (ill == Ill.LYING) {
      completion.failed(new MeasurementException("two inside", null));
    } else {
      held.add(completion);
    }
  }

  private HarmRecord run(Ill how, long drainMillis) throws Exception {
    return new HarmTrial(PLAN, new FakeSession(), 2, drainMillis)
        .run(
            () -> {
              become(how);
              harmedNanos = System.nanoTime();
              return new HarmTrial.Harmed() {
                @Override
                public void mend() {
                  LockSupport.parkNanos(3 * SLICE_NANOS); // Being mended takes its time, too.
                  mendedNanos = System.nanoTime();
                  become(null);
                }

                @Override
                public void close() {}
              };
            });
  }

  private void become(@Nullable Ill how) {
    try {
      answering
          .submit(
              () -> {
                ill = how;
                if (how == null && held.size() > 0) {
                  List<Completion> late = List.copyOf(held);
                  held.clear();
                  late.forEach(Completion::done);
                }
              })
          .get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void measuresHowLongNobodyIsAnswered() throws Exception {
    HarmRecord record = run(Ill.SILENT, DRAIN_MILLIS);

    assertThat(record.answers()).hasSize(PLAN.slices());
    assertThat(record.longestGapNanos().get(1)).isGreaterThanOrEqualTo(mendedNanos - harmedNanos);
    assertThat(record.failed()).isZero();
    assertThat(record.violations()).isZero();
    assertThat(record.hung()).isZero();
    // What waited all the time is in the tail of the time after.
    assertThat(record.p99Nanos().get(2)).isPositive();
  }

  @Test
  void makesCallsAgainThatFail() throws Exception {
    HarmRecord record = run(Ill.FAILING, DRAIN_MILLIS);

    assertThat(record.failed()).isPositive();
    assertThat(record.violations()).isZero();
    assertThat(record.hung()).isZero();
  }

  @Test
  void countsPromisesThatAreBroken() throws Exception {
    HarmRecord record = run(Ill.LYING, DRAIN_MILLIS);

    assertThat(record.violations()).isPositive();
    assertThat(record.failed()).isZero();
  }

  @Test
  void tellsOfCallersThatNeverCameBack() throws Exception {
    Completion[] kept = new Completion[1];
    HarmRecord record =
        new HarmTrial(
                PLAN,
                new Session() {
                  @Override
                  public void start(int client, Completion completion) {
                    if (client == 0) {
                      kept[0] = completion; // For ever.
                    } else {
                      answering.execute(completion::done);
                    }
                  }

                  @Override
                  public void close() {}
                },
                2,
                50)
            .run(
                () ->
                    new HarmTrial.Harmed() {
                      @Override
                      public void mend() {}

                      @Override
                      public void close() {}
                    });

    assertThat(kept[0]).isNotNull();
    assertThat(record.hung()).isEqualTo(1);
  }

  @Test
  void saysPlansAndRecordsInLines() {
    assertThat(HarmPlan.parse(List.of(PLAN.line().split(" ")))).isEqualTo(PLAN);
    HarmRecord record =
        new HarmRecord(List.of(1L, 2L, 3L), List.of(4L, 5L), 6, 7, 8, List.of(9L, 0L, 11L));
    assertThat(HarmRecord.parse(record.line(), 3)).isEqualTo(record);
    assertThatThrownBy(() -> HarmRecord.parse(record.line(), 4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> HarmRecord.parse("many figures", 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> HarmPlan.parse(List.of("kill", "1", "1", "1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HarmPlan(ServerHarm.KILL, 1, 0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HarmPlan(ServerHarm.KILL, 1, 1, 1 << 20, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
