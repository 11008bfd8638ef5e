package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.Lease;
import io.testudo.node.CommandException;
import io.testudo.node.OneCommand;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring as {@code testudo init} makes it, {@code client add} extends it and clients use it. */
@Timeout(120)
class RingMembersTest {
  private static final Duration GUARD = Duration.ofSeconds(60);

  @TempDir Path directory;

  private Path init(String backend, List<Integer> ports) {
    Path ring = directory.resolve("ring");
    OneCommand made =
        OneCommand.run(
            "init",
            ring.toString(),
            "--backend",
            backend,
            "--byzantine",
            "0",
            "--clients",
            "alice",
            "--servers",
            ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",")));
    assertThat(made.err()).isEmpty();
    assertThat(made.out()).contains("s0/server.conf --ring new");
    return ring;
  }

  private static RingDaemon open(Path ring, String member, boolean founds) {
    Path file = ring.resolve(member).resolve("server.conf");
    assertThat(RingMemberConfig.isOne(file)).isTrue();
    return RingDaemon.open(RingMemberConfig.read(file), founds, List.of());
  }

  @Test
  void clientsUseTheLocksOfARingThatGrows() throws Exception {
    List<Integer> ports = FreePorts.find(3);
    Path ring = init("e2e", ports.subList(0, 2));
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "extra",
            "--dir",
            ring.toString(),
            "--ring-member",
            "127.0.0.1:" + ports.get(2));
    assertThat(added.code()).describedAs(added.err()).isZero();
    try (RingDaemon first = open(ring, "s0", true);
        RingDaemon second = open(ring, "s1", false);
        RingDaemon third = open(ring, "extra", false);
        TestudoClient alice = TestudoClient.connect(ring.resolve("clients/alice/client.conf"))) {
      second.node().whenReady().join();
      third.node().whenReady().join();
      try (Lease lease = alice.lock("orders").tryAcquire(GUARD).orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.hasFencingToken()).isFalse();
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(lease::fencingToken)
            .withMessageContaining("use sigma-dht");
      }
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> alice.counter("visits"))
          .withMessageContaining("locks and no objects");
      assertThat(first.node().view().known()).isEqualTo(2);
    }
  }

  @Test
  void refusesWhatARingCannotBe() throws IOException {
    Path ring = directory.resolve("ring");
    String address = "127.0.0.1:7001";
    OneCommand lying =
        OneCommand.run(
            "init", ring.toString(), "--backend", "e2e", "-b", "1", "--servers", address);
    assertThat(lying.err()).contains("in which no member may lie");
    OneCommand tls =
        OneCommand.run(
            "init",
            ring.toString(),
            "--backend",
            "e2e",
            "-b",
            "0",
            "--servers",
            address,
            "--security",
            "tls");
    assertThat(tls.err()).contains("use hmac");
    assertThat(Files.exists(ring)).isFalse();
  }

  @Test
  void aMemberThatKnowsNobodyFoundsNoRingByItself() throws IOException {
    Path ring = init("sigma-dht", FreePorts.find(1));
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> open(ring, "s0", false))
        .withMessageContaining("--ring new");
  }
}
