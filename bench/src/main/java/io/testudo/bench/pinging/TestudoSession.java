package io.testudo.bench.pinging;

import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.bench.measure.Completion;
import io.testudo.bench.measure.Session;
import io.testudo.quorum.Need;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.spi.Entropy;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pinging clients, each a machine of its own, on connections that they share or not. */
final class TestudoSession implements Session {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ConnectedClients connected;
  private final List<Pinger> pingers = new ArrayList<>();

  private TestudoSession(ConnectedClients connected) {
    this.connected = connected;
  }

  static TestudoSession connect(
      MeasuredCluster<ClientCredentials> cluster, PingSetup setup, int clients) throws IOException {
    TestudoSession session = new TestudoSession(cluster.clients(cluster.keys(), PingTypes.ALL));
    try {
      session.startPingers(setup, clients);
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void startPingers(PingSetup setup, int clients) throws IOException {
    Thresholds thresholds = Need.PING.thresholds(setup.servers(), setup.byzantine());
    Survey.Await await =
        setup.answersAwaited() == setup.servers() ? Survey.Await.ALL : Survey.Await.QUORUM;
    SecureRandom random = new SecureRandom();
    List<NettyClient> processes = new ArrayList<>();
    for (int i = 0; i < setup.connections().sessions(clients); i++) {
      processes.add(connected.connect());
    }
    for (int i = 0; i < clients; i++) {
      NettyClient client = processes.get(i % processes.size());
      ClientMachine machine =
          client.start(
              new PingClient(thresholds, RETRY_NANOS, Entropy.seeded(random.nextLong())),
              event -> {});
      pingers.add(new Pinger(machine, new Survey(await, TIMEOUT_NANOS)));
      awaitConnections(client, machine, setup.servers());
    }
  }

  /** No operation may be measured that waited for a connection. */
  private static void awaitConnections(NettyClient client, ClientMachine machine, int servers)
      throws IOException {
    try {
      machine.call(new Survey(Survey.Await.ALL, TIMEOUT_NANOS)).join();
    } catch (CompletionException e) {
      throw new IOException("the servers did not answer a first ping", e);
    }
    if (client.connections() != servers) {
      throw new IOException(
          "%d of %d servers are connected".formatted(client.connections(), servers));
    }
  }

  @Override
  public void start(int client, Completion completion) {
    pingers.get(client).start(completion);
  }

  @Override
  public void close() {
    connected.close();
  }

  /** One client; it has one ping under way at a time. */
  private static final class Pinger implements CallListener<SurveyResult> {
    private final ClientMachine machine;
    private final Survey survey;
    private @Nullable Completion completion;

    Pinger(ClientMachine machine, Survey survey) {
      this.machine = machine;
      this.survey = survey;
    }

    void start(Completion whenDone) {
      completion = whenDone;
      machine.call(survey, this);
    }

    @Override
    public void completed(SurveyResult result) {
      if (completion != null) {
        completion.done();
      }
    }

    @Override
    public void failed(TestudoException reason) {
      if (completion != null) {
        completion.failed(reason);
      }
    }
  }
}
