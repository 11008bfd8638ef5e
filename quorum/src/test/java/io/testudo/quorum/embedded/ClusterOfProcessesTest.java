package io.testudo.quorum.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.junit.LeavesNoProcess;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Servers in processes of their own, stopped, killed and started again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ClusterOfProcessesTest {
  private static final int SERVERS = 4;
  private static final int CLIENTS = 2;

  /** So many surveys of each client pass with a server away, so that they have come to know. */
  private static final int SURVEYS_MEANWHILE = 50;

  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @TempDir private Path directory;

  private EmbeddedCluster start() {
    return EmbeddedCluster.startProcesses(directory, SERVERS, new PingProgram());
  }

  /** What a client finds that has heard of nothing yet. */
  private static SurveyResult freshSurvey(EmbeddedCluster cluster) {
    return cluster
        .client("fresh")
        .start(
            new PingClient(RestlessPinger.FOUR, RestlessPinger.RETRY_NANOS, Entropy.seeded(1)),
            event -> {})
        .call(new Survey(Await.ALL, SECONDS.toNanos(120)))
        .join();
  }

  @Test
  void goOnFromTheirJournalsWhenTheyWereStoppedCleanly() {
    for (long start = 1; start <= 2; start++) {
      try (EmbeddedCluster cluster = start()) {
        assertThat(processes.started()).hasSize(SERVERS);
        assertThat(freshSurvey(cluster).servers())
            .extracting(ServerView::claimed)
            .containsOnly(start);
        assertThatThrownBy(() -> cluster.server(new ServerId(0)))
            .hasMessageContaining("process of its own");
      }
      assertThat(processes.started()).isEmpty();
    }
  }

  @Test
  void loseNothingTheyHavePromisedWhenTheyAreKilledOneAfterTheOther() throws Exception {
    try (EmbeddedCluster cluster = start()) {
      List<RestlessPinger> pingers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        pingers.add(new RestlessPinger(cluster.client("client" + i), i));
      }
      long[] starts = {1, 1, 1, 1};
      for (ServerId victim : ServerSet.firstN(SERVERS)) {
        cluster.kill(victim);
        assertThat(processes.started()).hasSize(SERVERS - 1);
        for (RestlessPinger pinger : pingers) {
          pinger.awaitMore(SURVEYS_MEANWHILE);
        }
        cluster.restart(victim);
        starts[victim.index()]++;
        // The same client finds it again, and what all have heard twice counts.
        for (int twice = 0; twice < 2; twice++) {
          for (RestlessPinger pinger : pingers) {
            assertThat(pinger.askAll().servers())
                .extracting(ServerView::claimed)
                .containsExactly(starts[0], starts[1], starts[2], starts[3]);
          }
        }
        assertThat(pingers.get(0).askAll().of(victim).vouched()).isEqualTo(starts[victim.index()]);
      }
      // All at once, so that only disks can know.
      ServerSet.firstN(SERVERS).forEach(cluster::kill);
      assertThat(processes.started()).isEmpty();
      ServerSet.firstN(SERVERS).forEach(cluster::restart);
      assertThat(freshSurvey(cluster).servers())
          .allMatch(view -> view.claimed() == 3 && view.vouched() >= 2);
      for (RestlessPinger pinger : pingers) {
        pinger.awaitMore(SURVEYS_MEANWHILE);
        assertThat(pinger.rest()).isNull();
      }
    }
  }

  @Test
  void refuseAProgramThatAChildCannotMake() {
    ServerProgram hidden =
        new ServerProgram() {
          @Override
          public WireTypes types() {
            throw new AssertionError("it is refused before");
          }

          @Override
          public List<Machine<ClientId>> machines(ServerId self, int servers) {
            throw new AssertionError("it is refused before");
          }
        };
    assertThatThrownBy(() -> EmbeddedCluster.startProcesses(directory, 1, hidden))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("public constructor");
  }
}
