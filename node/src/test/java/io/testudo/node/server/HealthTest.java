package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.client.status.ClusterStatus;
import io.testudo.client.status.ServerFault;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.FreePorts;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server says of its health is what it has just tried. */
class HealthTest {
  private static final ServerId S0 = new ServerId(0);

  @TempDir Path temporary;

  /** Whether the disk still answers. */
  private volatile boolean stores = true;

  /** Until something waits for a disk that does not. */
  private final CountDownLatch waits = new CountDownLatch(1);

  /** As if the thread that writes had died: nothing fails, and nothing is ever durable. */
  private final class DyingJournal implements Journal {
    private final Journal memory = new MemoryJournal();

    @Override
    public List<byte[]> recover() {
      return memory.recover();
    }

    @Override
    public void append(byte[] record) {
      memory.append(record);
    }

    @Override
    public void whenDurable(Runnable then) {
      if (stores) {
        memory.whenDurable(then);
      } else {
        waits.countDown();
      }
    }

    @Override
    public void replaceAll(List<byte[]> snapshot) {
      memory.replaceAll(snapshot);
    }

    @Override
    public long sizeBytes() {
      return memory.sizeBytes();
    }
  }

  private Journals journals() {
    return new Journals() {
      @Override
      public Journal open(String machine, Executor loop) {
        return machine.equals("object") ? new DyingJournal() : new MemoryJournal();
      }

      @Override
      public void release() {}

      @Override
      public Enrolment enrolment() {
        return Enrolment.FOUNDING;
      }
    };
  }

  private ClusterDirectory cluster() {
    CommonSettings common =
        new CommonSettings(
            new LockSettings("backoff", ImmutableSortedMap.of(), 0, LockTiming.standard()),
            Mode.SEALED_STATEMENTS);
    return TestClusters.make(
        temporary.resolve("cluster"), SecurityMode.HMAC, 1, 0, common, "client");
  }

  private ServerNode start(ClusterDirectory directory, ServerLoops loops) {
    ServerConfig config = ServerConfig.read(directory.serverConfig(S0));
    return ServerNode.start(config, journals(), loops, (machine, cause) -> {});
  }

  private static ClusterClient connect(ClusterDirectory directory, String principal) {
    return ClusterClient.connect(ClientConfig.read(directory.clientConfig(principal)));
  }

  private static String get(AdminEndpoint admin, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http:/" + admin.address() + path).toURL().openConnection();
    int code = connection.getResponseCode();
    try (var body = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return code + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void saysSoIfAJournalStoresNothingAnyMore() throws IOException {
    try (ServerLoops loops = ServerLoops.start(1);
        ServerNode node = start(cluster(), loops);
        AdminEndpoint admin =
            AdminEndpoint.start(new Endpoint("127.0.0.1", FreePorts.find(1).get(0)), node)) {
      assertThat(get(admin, "/livez")).isEqualTo("200 ok\n");
      assertThat(get(admin, "/readyz")).isEqualTo("200 ok\n");
      stores = false;
      assertThat(get(admin, "/livez")).startsWith("503 cannot store anything: object;");
      assertThat(get(admin, "/readyz")).startsWith("503 cannot store anything: object;");
      assertThat(get(admin, "/metrics"))
          .contains("testudo_ready 0\n", "testudo_machine_working{machine=\"object\"} 0\n")
          .contains("testudo_machine_working{machine=\"ping\"} 1\n");
    }
  }

  @Test
  void showsToWhoAsksFromAfarThatAnOperationWaitsForTheDisk() throws InterruptedException {
    ClusterDirectory directory = cluster();
    try (ServerLoops loops = ServerLoops.start(1);
        ServerNode node = start(directory, loops);
        TestudoClient client = TestudoClient.connect(directory.clientConfig("client"));
        ClusterClient admin = connect(directory, "admin")) {
      Observer observer = new Observer(admin, Duration.ofSeconds(30));
      assertThat(observer.look().servers().get(0).faults()).isEmpty();
      stores = false;
      var unused = client.counter("hits").increment();
      waits.await();
      assertThat(node.isListening()).isTrue();
      assertThat(observer.look().servers().get(0).faults()).containsExactly(ServerFault.STUCK);
    }
  }

  @Test
  void looksWellToAClientThatMayNotAskForMore() throws InterruptedException {
    ClusterDirectory directory = cluster();
    try (ServerLoops loops = ServerLoops.start(1);
        ServerNode node = start(directory, loops);
        TestudoClient client =
            TestudoClient.builder()
                .cluster("test", 0, node.config().cluster().endpoints().get(0).toString())
                .principal("client")
                .keys(directory.clientConfig("client").resolveSibling("client.keys"))
                .connect()) {
      ClusterStatus status = client.status();
      assertThat(status.isHealthy()).isTrue();
      assertThat(status.servers().get(0).faults()).isEmpty();
      assertThat(status.servers().get(0).version()).isEmpty();
    }
  }
}
