package io.testudo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutex.Lease;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.cluster.ClusterSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients in one process, of a cluster that does not answer. */
class ClientThreadsTest {
  private static final int CLIENTS = 16;

  @TempDir private Path temporary;
  private Path keys;

  @BeforeEach
  void writeKeys() throws IOException {
    keys = temporary.resolve("client.keys");
    try (ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom())) {
      secrets.clientKeyring("prod", "alice", 1, Set.of("")).write(keys);
    }
  }

  private TestudoClientBuilder builder() {
    return TestudoClient.builder().cluster("prod", 0, "127.0.0.1:1").principal("alice").keys(keys);
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("testudo-client"))
        .count();
  }

  @Test
  void manyClientsShareOneThread() {
    long before = clientThreads();
    List<TestudoClient> clients = new ArrayList<>();
    try (ClientThreads threads = ClientThreads.start(1)) {
      for (int i = 0; i < CLIENTS; i++) {
        TestudoClient client = builder().threads(threads).connect();
        clients.add(client);
        // The loop has its turn.
        assertThat(client.lock("orders")).isNotNull();
      }
      assertThat(clientThreads()).isLessThanOrEqualTo(before + 1);
      clients.get(0).close();
      // The others go on.
      assertThat(clients.get(1).lock("orders").acquireAsync()).isNotDone();
      clients.forEach(TestudoClient::close);
    }
  }

  @Test
  void runsWhatIsChainedToFuturesWhereTheApplicationSays() {
    AtomicBoolean isInside = new AtomicBoolean();
    AtomicBoolean wasInside = new AtomicBoolean();
    TestudoClient client =
        builder()
            .executor(
                task -> {
                  isInside.set(true);
                  task.run();
                  isInside.set(false);
                })
            .connect();
    CompletableFuture<Lease> told =
        client
            .lock("orders")
            .acquireAsync()
            .whenComplete((lease, error) -> wasInside.set(isInside.get()));
    client.close();
    assertThatThrownBy(told::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ClosedException.class);
    assertThat(wasInside).isTrue();
  }
}
