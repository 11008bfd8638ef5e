package io.testudo.node.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.ping.SurveyResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Four servers, one of which may lie, and an administrator who shows them over HTTP. */
public final class ShownCluster implements AutoCloseable {
  private static final Duration GUARD = Duration.ofSeconds(60);

  private final ClusterDirectory directory;
  private final LocalCluster servers;
  private final ClusterWatch watch;
  private final WatchEndpoint endpoint;

  public ShownCluster(Path path, Duration interval) {
    directory = TestClusters.make(path, TestClusters.PLAIN, "alice", "bob");
    servers = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    watch =
        ClusterWatch.start(
            ClientConfig.read(directory.clientConfig("admin")),
            Duration.ofSeconds(3),
            interval,
            List.of(""));
    endpoint = WatchEndpoint.start(new Endpoint("127.0.0.1", FreePorts.find(1).get(0)), watch);
  }

  public LocalCluster servers() {
    return servers;
  }

  public TestudoClient client(String principal) {
    return TestudoClient.connect(directory.clientConfig(principal));
  }

  /** Has a principal say to all servers that one of them lied. */
  public void accuse(String principal, int server, String evidence) throws InterruptedException {
    try (ClusterClient client =
        ClusterClient.connect(ClientConfig.read(directory.clientConfig(principal)))) {
      // Reports are not repeated: who is not connected yet would not hear it.
      SurveyResult unused = client.survey(GUARD, GUARD);
      client.report(new ServerId(server), evidence);
    }
  }

  /** Where the page is. */
  public String url() {
    return "http:/" + endpoint.address() + "/";
  }

  /** The answer to a question, its code first. */
  public String get(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url() + path).toURL().openConnection();
    int code = connection.getResponseCode();
    try (InputStream body =
        code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return code + " " + new String(body.readAllBytes(), UTF_8);
    }
  }

  /** What programs see, as soon as it is so; no look comes sooner than it is due. */
  public JsonObject when(Predicate<JsonObject> so) throws IOException {
    while (!Thread.currentThread().isInterrupted()) {
      String answer = get("status");
      JsonObject seen = JsonParser.parseString(answer.substring("200 ".length())).getAsJsonObject();
      if (so.test(seen)) {
        return seen;
      }
    }
    throw new AssertionError("it never came to that");
  }

  @Override
  public void close() {
    endpoint.close();
    watch.close();
    servers.close();
  }
}
