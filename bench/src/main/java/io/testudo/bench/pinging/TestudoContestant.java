package io.testudo.bench.pinging;

import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import io.testudo.quorum.embedded.ServerProcess;
import io.testudo.quorum.netty.ClientCredentials;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Testudo's ping in one mode, its servers in a process of their own. */
final class TestudoContestant implements Contestant {
  private final PingSecurity security;
  private final PingSetup setup;
  private final ClientCredentials credentials;
  private final ServerProcess servers;

  private TestudoContestant(
      PingSecurity security,
      PingSetup setup,
      ClientCredentials credentials,
      ServerProcess servers) {
    this.security = security;
    this.setup = setup;
    this.credentials = credentials;
    this.servers = servers;
  }

  /** Starts the servers. Their keys are on disk only until they have read them. */
  static TestudoContestant start(PingSecurity security, PingSetup setup)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("testudo-bench");
    try {
      ClientCredentials credentials = security.issue(setup.servers(), directory);
      ServerProcess servers =
          ServerProcess.start(
              PingServers.class,
              List.of(security.word(), directory.toString(), Integer.toString(setup.servers())));
      return new TestudoContestant(security, setup, credentials, servers);
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Override
  public String system() {
    return "testudo";
  }

  @Override
  public String mode() {
    return security.word();
  }

  @Override
  public Session open(int clients) throws IOException {
    return TestudoSession.connect(servers.ports(), credentials, setup, clients);
  }

  @Override
  public void close() throws IOException {
    servers.close();
  }
}
