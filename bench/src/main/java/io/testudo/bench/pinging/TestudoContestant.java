package io.testudo.bench.pinging;

import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import io.testudo.quorum.netty.ClientCredentials;
import java.io.IOException;
import java.util.List;

/** Testudo's ping in one mode, its servers in a process of their own. */
final class TestudoContestant implements Contestant {
  private final PingSecurity security;
  private final PingSetup setup;
  private final MeasuredCluster<ClientCredentials> cluster;

  private TestudoContestant(
      PingSecurity security, PingSetup setup, MeasuredCluster<ClientCredentials> cluster) {
    this.security = security;
    this.setup = setup;
    this.cluster = cluster;
  }

  /** Starts the servers. */
  static TestudoContestant start(PingSecurity security, PingSetup setup)
      throws IOException, InterruptedException {
    return new TestudoContestant(
        security,
        setup,
        MeasuredCluster.start(
            setup.servers(), security::issue, PingServers.class, List.of(security.word())));
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
    return TestudoSession.connect(cluster, setup, clients);
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
