package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application is told that cannot connect. */
class TestudoClientTest {
  @TempDir private Path temporary;

  @Test
  void namesTheFileThatIsMissing() {
    Path missing = temporary.resolve("client.conf");
    assertThatThrownBy(() -> TestudoClient.connect(missing))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void namesTheClusterFileThatIsMissing() throws IOException {
    Path file = write("client.conf", "principal = alice\n");
    assertThatThrownBy(() -> TestudoClient.connect(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(temporary.resolve("cluster.txt").toString());
  }

  @Test
  void namesTheSettingThatIsMissing() {
    assertThatThrownBy(() -> TestudoClient.builder().cluster("prod", 0, "127.0.0.1:7001").connect())
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("TestudoClient.builder(): principal is missing; add it.");
  }

  @Test
  void namesTheKeysThatAreMissing() {
    Path keys = temporary.resolve("client.keys");
    TestudoClientBuilder builder =
        TestudoClient.builder().cluster("prod", 0, "127.0.0.1:7001").principal("alice").keys(keys);
    assertThatThrownBy(builder::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(keys.toString());
  }

  @Test
  void refusesServersThatCannotBe() {
    TestudoClientBuilder tooFew =
        TestudoClient.builder().cluster("prod", 1, "127.0.0.1:7001").principal("alice");
    assertThatThrownBy(tooFew::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("add servers");
    TestudoClientBuilder noPort =
        TestudoClient.builder().cluster("prod", 0, "localhost").principal("alice");
    assertThatThrownBy(noPort::connect)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("the server 'localhost' cannot be used; write it as HOST:PORT");
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(temporary.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
