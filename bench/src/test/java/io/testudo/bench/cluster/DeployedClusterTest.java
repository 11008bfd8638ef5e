package io.testudo.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.client.TestudoClient;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DeployedClusterTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @Test
  void givesEachClientItsOwnPrincipalAndKey() throws Exception {
    CommonSettings signed =
        new CommonSettings(
            new LockSettings("backoff", ImmutableSortedMap.of(), 1, LockTiming.standard()),
            Mode.SEALED_STATEMENTS,
            SealScheme.ED25519,
            TurnsBy.RANK);
    try (DeployedCluster cluster =
            DeployedCluster.start(4, 1, signed, JournalKind.OFF, 2, /* parent= */ null);
        DeployedClients clients = cluster.connect(2)) {
      assertThat(clients.all())
          .extracting(TestudoClient::principal)
          .containsExactly("client-0", "client-1");
      // Each believes what the other has signed.
      assertThat(clients.all().get(0).counter("visits").increment().join()).isEqualTo(1);
      assertThat(clients.all().get(1).counter("visits").increment().join()).isEqualTo(2);
      assertThat(clients.traffic().messages()).isPositive();
    }
  }
}
