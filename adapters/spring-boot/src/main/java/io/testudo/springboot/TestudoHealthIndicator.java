package io.testudo.springboot;

import io.testudo.client.TestudoClient;
import io.testudo.client.status.ClusterStatus;
import io.testudo.client.status.ServerFault;
import java.time.Duration;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

/**
 * Up as long as the cluster keeps its promises: a quorum answers, and no more servers fail than are
 * tolerated. Those that fail are named all the same. A client of a ring cannot tell.
 */
final class TestudoHealthIndicator extends AbstractHealthIndicator {
  private final TestudoClient client;
  private final Duration timeout;

  TestudoHealthIndicator(TestudoClient client, Duration timeout) {
    super("the servers of Testudo cannot be asked");
    this.client = client;
    this.timeout = timeout;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) throws InterruptedException {
    ClusterStatus status;
    try {
      status = client.status(timeout);
    } catch (UnsupportedOperationException e) {
      health.unknown().withDetail("reason", e.getMessage());
      return;
    }
    health
        .status(status.isHealthy() ? Status.UP : Status.DOWN)
        .withDetail("servers", status.servers().size())
        .withDetail("tolerated", status.tolerated())
        .withDetail("quorum", status.hasQuorum());
    for (ClusterStatus.Server server : status.servers()) {
      if (!server.faults().isEmpty()) {
        health.withDetail(
            server.name(),
            server.faults().stream().map(ServerFault::name).collect(Collectors.joining(", ")));
      }
    }
  }
}
