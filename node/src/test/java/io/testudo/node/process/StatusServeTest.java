package io.testudo.node.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code testudo status --serve} as operators run it. */
class StatusServeTest {
  @RegisterExtension final LeavesNoProcess leavesNoProcess = new LeavesNoProcess();

  @TempDir Path temporary;

  private static String get(String url) throws Exception {
    try (InputStream body = URI.create(url).toURL().openStream()) {
      return new String(body.readAllBytes(), UTF_8);
    }
  }

  @Test
  void showsTheClusterUntilItIsToldToEnd() throws Exception {
    ClusterDirectory directory =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "client");
    String config = directory.clientConfig("admin").toString();
    String address = "127.0.0.1:" + FreePorts.find(1).get(0);
    try (LocalCluster cluster =
            LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
        Testudo testudo = new Testudo(temporary)) {
      assertThat(cluster).isNotNull();
      Testudo.Run run = testudo.start("status", "--serve", address, "--config", config);
      run.awaitOutput("Cluster test is shown at http://" + address + "/ until Ctrl-C.\n");
      assertThat(get("http://" + address + "/")).startsWith("<!doctype html>");
      assertThat(get("http://" + address + "/status")).startsWith("{\"kind\":\"cluster\",");
      assertThat(get("http://" + address + "/metrics")).contains("testudo_cluster_servers 4\n");
      Testudo.Run second = testudo.run("status", "--serve", address, "--config", config);
      assertThat(second.awaitEnd()).isEqualTo(1);
      assertThat(second.err()).contains("The address " + address + " cannot be had");
      run.signal("TERM");
      assertThat(run.awaitEnd()).isZero();
    }
  }
}
