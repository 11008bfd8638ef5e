package io.testudo.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.ClosedLoad;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.OpenLoad;
import io.testudo.bench.measure.Round;
import io.testudo.bench.measure.Session;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets and a real child; what is checked does not depend on how fast they are. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FloorContestantTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @ParameterizedTest
  @CsvSource({"SHARED,4,3,1", "SHARED,6,6,16", "SEPARATE,4,3,5", "SEPARATE,1,1,2"})
  void completesRoundsAndLeavesNothingUnderWay(
      Connections connections, int servers, int answersAwaited, int clients) throws Exception {
    try (FloorContestant floor = FloorContestant.start(servers, answersAwaited, connections);
        Session session = floor.open(clients)) {
      ClosedLoad load = new ClosedLoad(BenchClock.system(), clients);
      for (int round = 0; round < 2; round++) {
        assertThat(load.run(session, SHORT_NANOS).p50Nanos()).isPositive();
      }
    }
  }

  @Test
  void servesAnOpenLoop() throws Exception {
    try (FloorContestant floor = FloorContestant.start(4, 3, Connections.SHARED);
        Session session = floor.open(4)) {
      Round round = new OpenLoad(BenchClock.system(), 4, 1_000).run(session, SHORT_NANOS);
      assertThat(round.operations()).isBetween(0L, 20L);
      assertThat(round.p99Nanos()).isPositive();
    }
  }

  @Test
  void servesOneNumberOfClientsAfterTheOther() throws Exception {
    try (FloorContestant floor = FloorContestant.start(4, 4, Connections.SHARED)) {
      for (int clients : new int[] {1, 3}) {
        try (Session session = floor.open(clients)) {
          new ClosedLoad(BenchClock.system(), clients).run(session, SHORT_NANOS);
        }
      }
    }
  }

  @Test
  void failsIfItsServersEnd() throws Exception {
    try (FloorContestant floor = FloorContestant.start(4, 4, Connections.SHARED);
        Session session = floor.open(2)) {
      ClosedLoad load = new ClosedLoad(BenchClock.system(), 2);
      load.run(session, SHORT_NANOS);
      processes.started().forEach(ProcessHandle::destroyForcibly);

      assertThatThrownBy(() -> load.run(session, TimeUnit.MINUTES.toNanos(2)))
          .isInstanceOf(MeasurementException.class)
          .hasMessageStartingWith("an operation failed: ");
    }
  }

  @Test
  void failsWhatStartsAfterTheServersEnded() throws Exception {
    FloorServer servers = FloorServer.start(1);
    try (Session session = FloorSession.connect(servers.ports(), 1, 1, Connections.SHARED)) {
      servers.close();
      CompletableFuture<String> outcome = new CompletableFuture<>();
      session.start(
          0,
          new Completion() {
            @Override
            public void done() {
              outcome.complete("done");
            }

            @Override
            public void failed(Throwable cause) {
              outcome.complete("failed");
            }
          });
      assertThat(outcome.get()).isEqualTo("failed");
    }
  }
}
