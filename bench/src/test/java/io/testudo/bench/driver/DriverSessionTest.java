package io.testudo.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.driver.FakeSystem.Fault;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.measure.CountedLoad;
import io.testudo.bench.measure.MeasurementException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DriverSessionTest {
  private static final long MOMENT_NANOS = 20_000_000;

  private static DriverSession open(Fault fault, PeerWork work) throws Exception {
    FakeSystem system = new FakeSystem(fault);
    return new DriverSession(
        work, "x", IntStream.range(0, work.clients()).mapToObj(system::connect).toList());
  }

  /** Until something was done: on a loaded machine a moment may be too short. */
  private static void workFor(DriverSession session) throws InterruptedException {
    long done = 0;
    while (done == 0) {
      done = session.run(MOMENT_NANOS).operations();
    }
  }

  private static PeerWork work(Kind kind, Use use, int callers, int objects) {
    return new PeerWork(kind, use, Sharing.SEPARATE, callers, objects);
  }

  @Test
  void findsNothingWrongWithWhatIsSound() throws Exception {
    for (PeerWork work :
        List.of(
            work(Kind.LOCK, Use.BLOCKING, 3, 1),
            work(Kind.LOCK, Use.BLOCKING, 3, 3),
            work(Kind.LOCK, Use.ASYNC, 2, 2),
            work(Kind.INCREMENT, Use.BLOCKING, 3, 1),
            work(Kind.INCREMENT, Use.ASYNC, 1, 1))) {
      try (DriverSession session = open(Fault.NONE, work)) {
        workFor(session);
        session.check();
      }
    }
  }

  @Test
  void seesTwoInsideOfOneLock() throws Exception {
    GuardedCount guarded = new GuardedCount();
    PeerLock open = new FakeSystem(Fault.OPEN_LOCKS).connect(0).lock("x", Use.BLOCKING);
    Turnstile second = new Turnstile.OfLock(open, guarded);
    open.lock();
    guarded.leave(guarded.enter() + 1);
    open.unlock();
    second.takeTurn();
    assertThat(guarded.count()).isEqualTo(2);

    open.lock();
    long unused = guarded.enter();
    assertThatThrownBy(second::takeTurn)
        .isInstanceOf(MeasurementException.class)
        .hasMessageContaining("two were inside");
  }

  @Test
  void seesAnIncrementThatIsLost() throws Exception {
    try (DriverSession session =
        open(Fault.LOST_INCREMENT, work(Kind.INCREMENT, Use.BLOCKING, 2, 1))) {
      workFor(session);
      assertThatThrownBy(session::check)
          .isInstanceOf(MeasurementException.class)
          .hasMessageContaining("operations were answered, and");
    }
  }

  @Test
  void seesACountThatDoesNotGrow() throws Exception {
    try (DriverSession session = open(Fault.STUCK_COUNTER, work(Kind.INCREMENT, Use.ASYNC, 1, 1))) {
      assertThatThrownBy(() -> session.run(MOMENT_NANOS))
          .isInstanceOf(MeasurementException.class)
          .hasMessageContaining("the count did not grow");
    }
  }

  @Test
  void saysWhyAnOperationFailed() throws Exception {
    for (Use use : Use.values()) {
      try (DriverSession session = open(Fault.FAILING, work(Kind.INCREMENT, use, 1, 1))) {
        assertThatThrownBy(() -> session.run(MOMENT_NANOS))
            .isInstanceOf(MeasurementException.class)
            .hasMessageContaining("the fake fails");
        session.check(); // Nobody knows what happened, so nothing is said.
      }
    }
  }

  /** Each begins the next: deeper in the stack it would overflow. */
  @Test
  void beginsTheNextOperationOfOneThatEndedAtOnceWithoutGoingDeeper() throws Exception {
    int operations = 200_000;
    int[] begun = new int[1];
    AsyncCallers callers =
        new AsyncCallers(
            List.of(
                new Turnstile() {
                  @Override
                  void takeTurn() {}

                  @Override
                  CompletionStage<?> beginTurn() {
                    begun[0]++;
                    return CompletableFuture.completedFuture(true);
                  }
                }));
    long unused = new CountedLoad(1).run(callers, operations);
    assertThat(begun[0]).isEqualTo(operations);
  }
}
