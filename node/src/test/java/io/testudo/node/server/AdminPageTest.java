package io.testudo.node.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.mutex.Lease;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.SurveyResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What everybody sees who reaches the admin address of a server. */
@Timeout(120)
class AdminPageTest {
  private static final ServerId S1 = new ServerId(1);
  private static final Duration GUARD = Duration.ofSeconds(60);

  @TempDir private Path temporary;

  private static String get(AdminEndpoint admin, String path) throws IOException {
    try (InputStream body = URI.create("http:/" + admin.address() + path).toURL().openStream()) {
      return new String(body.readAllBytes(), UTF_8);
    }
  }

  @Test
  void tellsFiguresAndNoNames() throws Exception {
    ClusterDirectory directory =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "mallory");
    try (LocalCluster cluster =
            LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
        AdminEndpoint admin =
            AdminEndpoint.start(
                new Endpoint("127.0.0.1", FreePorts.find(1).get(0)), cluster.node(S1));
        TestudoClient client = TestudoClient.connect(directory.clientConfig("mallory"));
        Lease lease = client.lock("merger/acme").acquire()) {
      assertThat(lease.isHeld()).isTrue();
      long unused = client.counter("salaries").increment().join();
      try (ClusterClient reporter =
          ClusterClient.connect(ClientConfig.read(directory.clientConfig("mallory")))) {
        // Reports are not repeated: who is not connected yet would not hear it.
        SurveyResult unusedToo = reporter.survey(GUARD, GUARD);
        reporter.report(new ServerId(2), "denied merger/acme");
      }
      JsonObject status = status(admin);
      while (!status.getAsJsonObject("accusers").has("s2")
          || count(status, "lock-backoff") == 0
          || status.getAsJsonObject("objects").get("count").getAsLong() == 0) {
        status = status(admin);
      }
      assertThat(status.get("kind").getAsString()).isEqualTo("server");
      assertThat(status.getAsJsonObject("messages").get("Try").getAsLong()).isPositive();
      assertThat(status.getAsJsonObject("journal").get("records").getAsLong()).isPositive();
      String metrics = get(admin, "/metrics");
      assertThat(metrics)
          .contains("testudo_locks{machine=\"lock-backoff\"} 1\n")
          .contains("testudo_accusers{suspect=\"s2\"} 1\n", "testudo_awaits_readmission 0\n");
      assertThat(metrics + status).doesNotContain("mallory", "merger", "salaries");
      assertThat(get(admin, "/")).startsWith("<!doctype html>").doesNotContain("mallory");
    }
  }

  private static JsonObject status(AdminEndpoint admin) throws IOException {
    return JsonParser.parseString(get(admin, "/status")).getAsJsonObject();
  }

  private static long count(JsonObject status, String machine) {
    return status.getAsJsonObject("locks").getAsJsonObject(machine).get("count").getAsLong();
  }
}
