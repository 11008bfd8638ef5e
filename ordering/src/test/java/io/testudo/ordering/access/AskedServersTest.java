package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Access;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Machine;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom an object's calls ask, over real sockets. */
@Timeout(60)
class AskedServersTest {
  private static final int SERVERS = 7;

  private final ObjectBackend backend =
      ObjectBackend.standard().with(QuorumKind.LEAST, Access.QUORUM);

  /** Those that were made for each server; one of them serves. */
  private final Map<ServerId, List<OrderingServer>> servers = new ConcurrentHashMap<>();

  @AutoClose
  private final EmbeddedCluster cluster =
      EmbeddedCluster.start(SERVERS, backend.types(), this::machines);

  @AutoClose
  private final ObjectClient client =
      ObjectClient.on(cluster.client("alice"), SERVERS, 1)
          .backend(backend)
          .seals(ObjectSeals.group(cluster.keyring("anybody")))
          .closesConnections()
          .build();

  private List<Machine<ClientId>> machines(ServerId self) {
    List<Machine<ClientId>> machines = backend.serverMachines(self);
    servers
        .computeIfAbsent(self, any -> new CopyOnWriteArrayList<>())
        .add((OrderingServer) machines.get(0));
    return machines;
  }

  private static boolean knowsAnObject(List<OrderingServer> made) {
    return made.stream().anyMatch(server -> server.usage().objects() > 0);
  }

  /** Nothing is late here that is waited for: the others hear of it because they are asked. */
  @Test
  void aCallMayAskAllThoughAQuorumIsUsual() throws Exception {
    CounterObject visits = CounterObject.open(client, "visits");
    assertThat(get(visits.increment())).isEqualTo(1);
    assertThat(get(visits.withAccess(Access.ALL).increment())).isEqualTo(2);
    while (!servers.values().stream().allMatch(AskedServersTest::knowsAnObject)) {
      VarHandle.acquireFence(); // It is counted on another thread, and may be stale.
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    assertThat(get(visits.withAccess(Access.QUORUM).get())).isEqualTo(2);
  }
}
