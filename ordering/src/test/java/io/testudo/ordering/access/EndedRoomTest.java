package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.ordering.server.ObjectUsage;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.protocol.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What objects whose time is over take of the room of servers, over real sockets. */
@Timeout(60)
class EndedRoomTest {
  private static final int SERVERS = 4;

  /** Far more than a tombstone may take. */
  private static final Bytes MUCH = Bytes.wrap(new byte[100_000]);

  private static final TimeToLive MOMENT = TimeToLive.of(Duration.ofMillis(1));

  private final ObjectBackend backend = ObjectBackend.standard();

  /** Several are made for each server; one of them serves. */
  private final List<OrderingServer> servers = new CopyOnWriteArrayList<>();

  @AutoClose
  private final EmbeddedCluster cluster =
      EmbeddedCluster.start(SERVERS, backend.types(), this::machines);

  @AutoClose private final ObjectClient alice = client("alice");
  @AutoClose private final ObjectClient bob = client("bob");

  private ObjectClient client(String principal) {
    return ObjectClient.on(cluster.client(principal), SERVERS, 1)
        .backend(backend)
        .seals(ObjectSeals.group(cluster.keyring("anybody")))
        .closesConnections()
        .build();
  }

  private List<Machine<ClientId>> machines(ServerId self) {
    List<Machine<ClientId>> machines = backend.serverMachines(self);
    servers.add((OrderingServer) machines.get(0));
    return machines;
  }

  private static boolean keepsOnlyATombstone(OrderingServer server) {
    ObjectUsage usage = server.usage();
    return usage.objects() == 0 && usage.tombstones() == 1 && usage.bytes() < 10_000;
  }

  /** The servers that were asked last are told a moment after the client was answered. */
  private void awaitOnlyTombstones() throws InterruptedException {
    while (servers.stream().filter(EndedRoomTest::keepsOnlyATombstone).count() < SERVERS) {
      if (Thread.interrupted()) {
        throw new InterruptedException("It stays.");
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void comesBackWhenItIsOnlyRead() throws Exception {
    var brief = RegisterObject.open(alice, "brief").object().createdWith(MOMENT);
    get(brief.submit(RegisterObject.SET, Optional.of(MUCH)));
    assertThat(servers).anyMatch(server -> server.usage().bytes() >= MUCH.size());
    RegisterObject read = RegisterObject.open(bob, "brief");
    while (get(read.get()).isPresent()) {
      Thread.onSpinWait();
    }
    awaitOnlyTombstones();
  }
}
