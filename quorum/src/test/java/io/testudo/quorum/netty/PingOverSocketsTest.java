package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Need;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.ServerView.Standing;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.ping.SurveyResult;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ping on real sockets with authenticated connections. */
@Timeout(60)
class PingOverSocketsTest {
  private static final Thresholds FOUR = Need.PING.thresholds(4, 1);
  private static final long RETRY_NANOS = 20_000_000L;
  private static final Survey ALL = new Survey(Await.ALL, SECONDS.toNanos(30));
  private static final Survey QUORUM = new Survey(Await.QUORUM, SECONDS.toNanos(30));
  private static final Survey QUICK = new Survey(Await.QUORUM, 50_000_000L);

  private final EmbeddedCluster cluster =
      EmbeddedCluster.start(4, PingTypes.ALL, id -> List.of(new PingServer(id, 4)));

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ClientMachine pinger(String principal) {
    return cluster
        .client(principal)
        .start(new PingClient(FOUR, RETRY_NANOS, Entropy.seeded(principal.hashCode())), e -> {});
  }

  @Test
  void knowsEveryServerAfterTwoSurveys() {
    ClientMachine alice = pinger("alice");
    alice.call(ALL).join();
    SurveyResult second = alice.call(ALL).join();

    assertThat(second.servers()).allMatch(view -> view.standing() == Standing.KNOWN);
    assertThat(second.servers()).allMatch(view -> view.vouched() == 1);
  }

  @Test
  void seesARestartAndForgetsNothing() {
    ClientMachine alice = pinger("alice");
    alice.call(ALL).join();
    alice.call(ALL).join();
    cluster.stop(new ServerId(2));
    assertThat(alice.call(QUORUM).join().of(new ServerId(2)).standing()).isEqualTo(Standing.SILENT);
    cluster.restart(new ServerId(2));
    alice.call(ALL).join();
    SurveyResult after = alice.call(ALL).join();

    assertThat(after.of(new ServerId(2)).claimed()).isEqualTo(2);
    assertThat(after.of(new ServerId(2)).standing()).isEqualTo(Standing.KNOWN);
  }

  @Test
  void anotherClientHearsOfItFromTheServers() {
    ClientMachine alice = pinger("alice");
    alice.call(ALL).join();
    alice.call(ALL).join();

    SurveyResult first = pinger("bob").call(ALL).join();
    assertThat(first.servers()).allMatch(view -> view.standing() == Standing.KNOWN);
  }

  @Test
  void failsInTimeWithoutAQuorum() {
    ClientMachine alice = pinger("alice");
    alice.call(ALL).join();
    cluster.stop(new ServerId(0));
    cluster.stop(new ServerId(1));

    assertThatThrownBy(() -> alice.call(QUICK).join())
        .hasCauseInstanceOf(NoQuorumException.class)
        .hasMessageContaining("of 4 servers answered, 3 are needed");
  }

  @Test
  void servesManyCallsOfManyMachinesOverOneConnection() {
    NettyClient client = cluster.client("alice");
    List<CompletableFuture<SurveyResult>> surveys = new ArrayList<>();
    for (int machine = 0; machine < 8; machine++) {
      ClientMachine pinger =
          client.start(new PingClient(FOUR, RETRY_NANOS, Entropy.seeded(machine)), event -> {});
      for (int i = 0; i < 100; i++) {
        surveys.add(pinger.call(QUORUM));
      }
    }
    surveys.forEach(CompletableFuture::join);
    assertThat(cluster.server(new ServerId(0)).connections()).isEqualTo(1);
    assertThat(client.connections()).isEqualTo(4);
  }

  @Test
  void givesUpACancelledCallAndFailsTheOthersWhenItIsClosed() {
    cluster.stop(new ServerId(0));
    cluster.stop(new ServerId(1));
    NettyClient client = cluster.client("alice");
    ClientMachine alice =
        client.start(new PingClient(FOUR, RETRY_NANOS, Entropy.seeded(1)), event -> {});
    CompletableFuture<SurveyResult> cancelled = alice.call(ALL);
    CompletableFuture<SurveyResult> open = alice.call(ALL);
    assertThat(cancelled.cancel(false)).isTrue();
    client.close();

    assertThatThrownBy(open::join).hasCauseInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> alice.call(ALL).join()).hasCauseInstanceOf(ClosedException.class);
  }

  @Test
  void countsWhatGoesOverItsConnectionsOnBothEnds() {
    NettyClient client = cluster.client("alice");
    ClientMachine alice =
        client.start(new PingClient(FOUR, SECONDS.toNanos(30), Entropy.seeded(1)), event -> {});
    alice.call(ALL).join();

    Traffic sent = client.counters().sent();
    assertThat(sent.messages()).isEqualTo(4);
    assertThat(sent.frames()).isEqualTo(4);
    assertThat(client.counters().received().messages()).isEqualTo(4);
    Traffic arrived = new Traffic(0, 0, 0);
    for (int i = 0; i < 4; i++) {
      arrived = arrived.plus(cluster.server(new ServerId(i)).counters().received());
    }
    assertThat(arrived).isEqualTo(sent);
    assertThat(sent.minus(arrived)).isEqualTo(new Traffic(0, 0, 0));
  }
}
