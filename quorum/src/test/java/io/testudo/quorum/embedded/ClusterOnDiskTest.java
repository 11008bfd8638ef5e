package io.testudo.quorum.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.ServerView;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Embedded clusters whose journals are files. */
@Timeout(60)
class ClusterOnDiskTest {
  private static final int SERVERS = 4;

  @TempDir private Path directory;

  private EmbeddedCluster start() {
    return EmbeddedCluster.startIn(
        directory, SERVERS, PingTypes.ALL, ClusterOnDiskTest::machinesOf);
  }

  private static List<Machine<ClientId>> machinesOf(ServerId id) {
    return List.of(new PingServer(id, SERVERS));
  }

  private static SurveyResult survey(EmbeddedCluster cluster, String principal) {
    return cluster
        .client(principal)
        .start(
            new PingClient(Need.PING.thresholds(SERVERS, 1), 20_000_000L, Entropy.seeded(1)),
            event -> {})
        .call(new Survey(Await.ALL, SECONDS.toNanos(30)))
        .join();
  }

  @Test
  void aServerThatStartsAgainGoesOnFromItsJournal() {
    try (EmbeddedCluster cluster = start()) {
      assertThat(survey(cluster, "alice").servers())
          .extracting(ServerView::claimed)
          .containsOnly(1L);
      cluster.stop(new ServerId(2));
      cluster.restart(new ServerId(2));
      assertThat(survey(cluster, "bob").servers())
          .extracting(ServerView::claimed)
          .containsExactly(1L, 1L, 2L, 1L);
    }
  }

  @Test
  void aClusterThatStartsAgainGoesOnFromItsJournals() {
    for (long start = 1; start <= 3; start++) {
      try (EmbeddedCluster cluster = start()) {
        assertThat(survey(cluster, "alice").servers())
            .extracting(ServerView::claimed)
            .containsOnly(start);
      }
    }
  }
}
