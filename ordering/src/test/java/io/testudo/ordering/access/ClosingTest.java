package io.testudo.ordering.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that is closed when it has what it wanted, as commands are. */
@Timeout(60)
class ClosingTest {
  private static final int SERVERS = 4;
  private static final long SECOND = 1_000_000_000L;

  /** Nobody gives the tenure up by itself while this test runs. */
  private static final ObjectBackend BACKEND =
      new ObjectBackend(
          Mode.SEALED_STATEMENTS,
          new OrderTiming(SECOND, 2 * SECOND, 10_000, 512, SECOND, 600 * SECOND, SECOND),
          new BackoffProtocol(LockTiming.standard()));

  private final CountDownLatch ended = new CountDownLatch(SERVERS);

  private final class Listener extends Machine<ClientId> {
    Listener() {
      onMessage(EndTenure.class, (from, message) -> ended.countDown());
    }
  }

  private List<Machine<ClientId>> machines(ServerId self) {
    List<Machine<ClientId>> machines = new ArrayList<>(BACKEND.serverMachines(self));
    machines.add(new Listener());
    return machines;
  }

  @Test
  void letsOthersOrderAtOnce() throws InterruptedException {
    try (EmbeddedCluster servers =
        EmbeddedCluster.start(SERVERS, BACKEND.types(), this::machines)) {
      ObjectClient client =
          ObjectClient.on(servers.client("alice"), SERVERS, 1)
              .backend(BACKEND)
              .seals(ObjectSeals.group(servers.keyring("alice")))
              .closesConnections()
              .build();
      assertThat(CounterObject.open(client, "visits").increment().join()).isEqualTo(1);
      client.close();
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
