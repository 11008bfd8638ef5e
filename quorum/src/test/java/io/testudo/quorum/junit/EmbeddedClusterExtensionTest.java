package io.testudo.quorum.junit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.embedded.PingProgram;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension as its users have it. */
@Timeout(60)
class EmbeddedClusterExtensionTest {
  @RegisterExtension
  static final EmbeddedClusterExtension SHARED =
      EmbeddedClusterExtension.of(1, PingTypes.ALL, id -> List.of(new PingServer(id, 1)));

  @RegisterExtension
  private final EmbeddedClusterExtension own =
      EmbeddedClusterExtension.of(1, PingTypes.ALL, id -> List.of(new PingServer(id, 1)));

  @RegisterExtension
  static final EmbeddedClusterExtension PROCESSES =
      EmbeddedClusterExtension.ofProcesses(1, new PingProgram());

  private static long starts(EmbeddedCluster cluster) {
    SurveyResult result =
        cluster
            .client("alice")
            .start(
                new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
                event -> {})
            .call(new Survey(Await.ALL, SECONDS.toNanos(30)))
            .join();
    return result.of(new ServerId(0)).claimed();
  }

  @Test
  void givesAClusterThatAnswers() {
    assertThat(starts(SHARED.cluster())).isEqualTo(1);
  }

  @Test
  void givesEachTestItsOwnInAnInstanceField() {
    assertThat(own.cluster()).isNotSameAs(SHARED.cluster());
    assertThat(starts(own.cluster())).isEqualTo(1);
  }

  @Test
  void givesServersInProcessesThatCanBeKilled() {
    assertThat(starts(PROCESSES.cluster())).isEqualTo(1);
    PROCESSES.cluster().kill(new ServerId(0));
    PROCESSES.cluster().restart(new ServerId(0));
    assertThat(starts(PROCESSES.cluster())).isEqualTo(2);
  }

  @Test
  void saysThatThereIsNoClusterOutsideOfATest() {
    EmbeddedClusterExtension unused =
        EmbeddedClusterExtension.of(1, PingTypes.ALL, id -> List.of());
    assertThatThrownBy(unused::cluster).hasMessageContaining("while a test runs");
  }
}
