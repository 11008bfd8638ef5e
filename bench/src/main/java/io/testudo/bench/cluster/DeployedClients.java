package io.testudo.bench.cluster;

import io.testudo.client.ClientThreads;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients as applications have them, each a process of its own as the servers see it. All are on
 * one loop, as the clients of the floor are: more threads than cores would measure how they take
 * turns. What is chained to their futures runs there, too.
 */
public final class DeployedClients implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final ClientThreads threads = ClientThreads.start(1);
  private final List<TestudoClient> clients = new ArrayList<>();

  private DeployedClients() {}

  static DeployedClients connect(List<Path> configurations) throws IOException {
    DeployedClients connected = new DeployedClients();
    try {
      for (Path configuration : configurations) {
        connected.add(configuration);
      }
      return connected;
    } catch (IOException | RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  private void add(Path configuration) throws IOException {
    TestudoClient client =
        TestudoClient.builder(configuration)
            .threads(threads)
            .executor(Runnable::run)
            .timeout(TIMEOUT)
            .connect();
    clients.add(client);
    awaitConnections(client.unwrap(ClusterClient.class));
  }

  /** No operation may be measured that waited for a connection. */
  private static void awaitConnections(ClusterClient client) throws IOException {
    try {
      var unused = client.survey(TIMEOUT, TIMEOUT);
    } catch (TestudoException e) {
      throw new IOException("the servers did not answer a first ping: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the servers were connected", e);
    }
    if (client.connections().connections() != client.config().cluster().servers()) {
      throw new IOException(client.states());
    }
  }

  /** All of them. */
  public List<TestudoClient> all() {
    return List.copyOf(clients);
  }

  /** What all of them have sent and received so far. */
  public Traffic traffic() {
    return clients.stream()
        .map(client -> client.unwrap(ClusterClient.class).connections().counters())
        .map(counters -> counters.sent().plus(counters.received()))
        .reduce(new Traffic(0, 0, 0), Traffic::plus);
  }

  @Override
  public void close() {
    clients.forEach(TestudoClient::close);
    threads.close();
  }
}
