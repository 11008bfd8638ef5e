package io.testudo.peers.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerCounter;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerLock;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.bench.driver.PeerWork.Use;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** etcd with three servers, used by jetcd. */
public final class EtcdDriver {
  private static final int SERVERS = 3;
  private static final int LEADER_WITHIN_SECONDS = 60;

  private EtcdDriver() {}

  /** No arguments. */
  public static void main(String[] args) throws InterruptedException {
    PeerDriver.main(EtcdDriver::start);
  }

  private static PeerSystem start(PeerServers servers) throws Exception {
    List<Integer> ports = PeerServers.freePorts(2 * SERVERS);
    List<String> urls =
        ports.stream().map(port -> "http://" + PeerServers.LOOPBACK + ":" + port).toList();
    String cluster =
        IntStream.range(0, SERVERS)
            .mapToObj(i -> "etcd-%d=%s".formatted(i, urls.get(SERVERS + i)))
            .collect(Collectors.joining(","));
    for (int i = 0; i < SERVERS; i++) {
      String name = "etcd-" + i;
      servers.startNative(
          name,
          "etcd",
          "--name",
          name,
          "--data-dir",
          servers.directory(name).resolve("data").toString(),
          "--listen-client-urls",
          urls.get(i),
          "--advertise-client-urls",
          urls.get(i),
          "--listen-peer-urls",
          urls.get(SERVERS + i),
          "--initial-advertise-peer-urls",
          urls.get(SERVERS + i),
          "--initial-cluster",
          cluster,
          "--log-level",
          "error");
    }
    for (int i = 0; i < SERVERS; i++) {
      servers.awaitPort(ports.get(i));
    }
    Servers started = new Servers(urls.subList(0, SERVERS), versionOfServer());
    try (Client client = started.client()) {
      var unused =
          client.getKVClient().get(key("first")).get(LEADER_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
    return started;
  }

  static ByteSequence key(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  private static String versionOfServer() throws IOException {
    Process process = new ProcessBuilder("etcd", "--version").start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.replaceFirst("(?s).*?Version: (\\S+).*", "$1");
  }

  private record Servers(List<String> urls, String serverVersion) implements PeerSystem {
    Client client() {
      return Client.builder().endpoints(urls.toArray(String[]::new)).build();
    }

    @Override
    public String version() {
      return "etcd %s, jetcd %s".formatted(serverVersion, PeerServers.versionOf(Client.class));
    }

    @Override
    public PeerConnection connect(int index) {
      return new Connection(client());
    }

    @Override
    public void close() {}
  }

  private record Connection(Client client) implements PeerConnection {
    @Override
    public PeerLock lock(String name, Use use) throws Exception {
      return EtcdLock.with(client, key("lock/" + name));
    }

    @Override
    public PeerCounter counter(String name, Use use) {
      return new EtcdCounter(client.getKVClient(), key("counter/" + name));
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
