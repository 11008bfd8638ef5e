package io.testudo.node.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.client.TestudoClient;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.mutex.Lease;
import io.testudo.node.CommandException;
import io.testudo.node.OneCommand;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.local.FreePorts;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A ring as {@code testudo init} makes it, {@code client add} extends it and clients use it. */
@Timeout(120)
class RingMembersTest {
  private static final Duration GUARD = Duration.ofSeconds(60);

  @TempDir Path directory;

  private Path init(String backend, List<Integer> ports) {
    return init(backend, SecurityMode.HMAC, ports);
  }

  private Path init(String backend, SecurityMode security, List<Integer> ports) {
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
            "--security",
            security.modeName(),
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

  @ParameterizedTest
  @EnumSource(names = {"HMAC", "TLS"})
  void clientsUseTheLocksOfARingThatGrows(SecurityMode security) throws Exception {
    List<Integer> ports = FreePorts.find(3);
    Path ring = init("e2e", security, ports.subList(0, 2));
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
  void aMemberStartsWithNoCertificateButItsOwn() throws IOException {
    Path ring = init("e2e", SecurityMode.TLS, FreePorts.find(2));
    Path own = ring.resolve("s0");
    assertThat(own.resolve("server.keys")).doesNotExist();
    for (Path other : List.of(ring.resolve("s1"), ring.resolve("clients/alice"))) {
      for (String file : List.of("certificate.pem", "private-key.pem")) {
        Files.copy(other.resolve(file), own.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      assertThatExceptionOfType(CommandException.class)
          .isThrownBy(() -> open(ring, "s0", true))
          .withMessageContaining("give it its own");
    }
  }

  @Test
  void aMemberGoesOnWithANewCertificate() throws Exception {
    Path ring = init("sigma-dht", SecurityMode.TLS, FreePorts.find(2));
    try (RingDaemon first = open(ring, "s0", true);
        RingDaemon second = open(ring, "s1", false);
        TestudoClient alice = TestudoClient.connect(ring.resolve("clients/alice/client.conf"))) {
      second.node().whenReady().join();
      Path secret = ring.resolve("secret");
      TlsIdentity renewed =
          CertificateAuthority.read(
                  secret.resolve("authority.pem"),
                  secret.resolve("authority-key.pem"),
                  new SecureRandom())
              .issueMember("s0", Instant.now());
      Path own = ring.resolve("s0");
      Files.delete(own.resolve("certificate.pem"));
      Files.delete(own.resolve("private-key.pem"));
      renewed.write(own.resolve("certificate.pem"), own.resolve("private-key.pem"));
      assertThat(first.reload()).isNotNull();
      try (Lease lease = alice.lock("orders").tryAcquire(GUARD).orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  private static String get(AdminEndpoint admin, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http:/" + admin.address() + path).toURL().openConnection();
    int code = connection.getResponseCode();
    try (InputStream body =
        code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return code + " " + new String(body.readAllBytes(), UTF_8);
    }
  }

  @Test
  void operatorsAskAMemberAboutItself() throws Exception {
    List<Integer> ports = FreePorts.find(3);
    Path ring = init("zone", ports.subList(0, 2));
    Endpoint address = new Endpoint("127.0.0.1", ports.get(2));
    try (RingDaemon second = open(ring, "s1", false);
        AdminEndpoint admin = AdminEndpoint.start(address, second)) {
      assertThat(get(admin, "/livez")).isEqualTo("200 ok\n");
      assertThat(get(admin, "/readyz")).startsWith("503 looks for its place in the ring");
      try (RingDaemon first = open(ring, "s0", true)) {
        second.node().whenReady().join();
        assertThat(get(admin, "/readyz")).isEqualTo("200 ok\n");
        assertThat(get(admin, "/status"))
            .contains(
                "\"kind\":\"member\"",
                "\"member\":\"s1\"",
                "\"ready\":true",
                "\"backend\":\"zone\"")
            .contains("\"membersKnown\":1", first.node().id().toString());
        assertThat(get(admin, "/metrics"))
            .contains("testudo_ready 1\n", "testudo_ring_members_known 1\n");
        assertThat(get(admin, "/")).startsWith("200 <!doctype html>");
        assertThat(get(admin, "/locks")).startsWith("404 ");
      }
    }
  }

  @Test
  void saysWhatMembersThatLieCanDo() {
    for (String security : List.of("hmac", "tls")) {
      OneCommand made =
          OneCommand.run(
              "init",
              directory.resolve(security).toString(),
              "--backend",
              "zone",
              "--security",
              security,
              "--byzantine",
              "0",
              "--servers",
              "127.0.0.1:7001,127.0.0.1:7002");
      assertThat(made.out())
          .contains(
              security.equals("tls")
                  ? "less than 50 % of the space, and stop nobody with up to 25 %"
                  : "No member may lie: with hmac nothing shows");
    }
  }

  @Test
  void refusesWhatARingCannotBe() throws IOException {
    Path ring = directory.resolve("ring");
    String address = "127.0.0.1:7001";
    OneCommand lying =
        OneCommand.run(
            "init", ring.toString(), "--backend", "e2e", "-b", "1", "--servers", address);
    assertThat(lying.err()).contains("which has no b");
    assertThat(Files.exists(ring)).isFalse();
  }

  @Test
  void refusesCommandsThatOnlyClustersHave() throws IOException {
    String client = init("e2e", FreePorts.find(1)).resolve("clients/admin/client.conf").toString();
    for (List<String> words :
        List.of(
            List.of("status"),
            List.of("doctor"),
            List.of("locks"),
            List.of("readmit"),
            List.of("object", "get", "counter/visits"))) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of("--config", client));
      OneCommand refused = OneCommand.run(all.toArray(new String[0]));
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.out() + refused.err())
          .contains("The backend e2e is that of a ring", "admin address");
    }
  }

  @Test
  void aMemberThatKnowsNobodyFoundsNoRingByItself() throws IOException {
    Path ring = init("sigma-dht", FreePorts.find(1));
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> open(ring, "s0", false))
        .withMessageContaining("--ring new");
  }
}
