package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One server after another is restarted: whoever asks is told when the next may follow. */
class RollingUpdateTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);

  @TempDir Path temporary;
  private LocalCluster cluster;
  private String admin;
  private String client;

  @BeforeEach
  void start() {
    ClusterDirectory directory =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "client");
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    admin = directory.clientConfig("admin").toString();
    client = directory.clientConfig("client").toString();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private OneCommand lock(String patience) {
    return OneCommand.run("lock", "x", "--wait", patience, "--config", client, "--", "true");
  }

  private void restart(ServerId server) {
    cluster.stop(server);
    cluster.start(server);
  }

  private static String body(HttpURLConnection connection) throws IOException {
    try (var stream = connection.getErrorStream()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void tellsFromWhenOnARestartedServerGrantsLocks() {
    assertThat(lock("20s").code()).isZero();
    assertThat(OneCommand.run("status", "--config", admin).out())
        .contains("none fails; 1 more may fail");
    restart(S0);
    OneCommand status = OneCommand.run("status", "--config", admin);
    assertThat(status.out())
        .contains("grants no locks for ", "s0 counts as failing; 0 more may fail");
    assertThat(OneCommand.run("doctor", "--config", admin).out())
        .containsPattern("warn  locks     s0: grants locks from .*Z on, in \\d+ s:");
    assertThat(lock("20s").code()).as("three are enough").isZero();
    restart(S1);
    OneCommand refused = lock("2s");
    assertThat(refused.code()).isEqualTo(ExitCode.NOT_ACQUIRED);
    assertThat(refused.err())
        .containsPattern(
            "not free in time \\(s0 restarted and grants no locks for another \\d+ s; "
                + "s1 restarted and grants no locks for another \\d+ s\\)")
        .doesNotContain("testudo locks");
    assertThat(OneCommand.run("status", "--config", admin).out())
        .contains("more than it tolerates: it waits for them, and breaks no promise");
  }

  @Test
  void isNotReadyBeforeItGrantsLocks() throws IOException {
    assertThat(lock("20s").code()).isZero();
    restart(S0);
    Endpoint address = new Endpoint("127.0.0.1", FreePorts.find(1).get(0));
    try (AdminEndpoint endpoint = AdminEndpoint.start(address, cluster.node(S0))) {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http:/" + endpoint.address() + "/readyz").toURL().openConnection();
      assertThat(connection.getResponseCode()).isEqualTo(503);
      assertThat(body(connection)).startsWith("grants locks from ");
    }
  }
}
