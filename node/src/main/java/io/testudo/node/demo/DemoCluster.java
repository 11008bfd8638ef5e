package io.testudo.node.demo;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sim.BackoffForger;
import io.testudo.node.byzantine.ByzantineMachine;
import io.testudo.ordering.access.ObjectBackend;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.ordering.sim.OrderingForger;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.embedded.EmbeddedCluster;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The servers of the demo, on real sockets of the loopback address, and how clients reach them. */
final class DemoCluster implements AutoCloseable {
  static final int SERVERS = 4;
  static final int BYZANTINE = 1;
  static final Duration MAX_HOLD = Duration.ofSeconds(1);

  private static final String NAME = "demo";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final LockTiming timing = LockTiming.standard().withMaxHold(MAX_HOLD);
  private final LockProtocol locks = new BackoffProtocol(timing);
  private final ObjectBackend objects =
      new ObjectBackend(Mode.SEALED_STATEMENTS, OrderTiming.standard(), locks);
  private final ImmutableList<SharedFaultSwitch> faultSwitches =
      Stream.generate(SharedFaultSwitch::new)
          .limit(SERVERS)
          .collect(ImmutableList.toImmutableList());
  private final SecretBytes groupKey = SecretBytes.random(RANDOM);
  private final EmbeddedCluster servers;

  DemoCluster() {
    this.servers = EmbeddedCluster.start(SERVERS, objects.types(), this::machines);
  }

  private List<Machine<ClientId>> machines(ServerId self) {
    Entropy chance = Entropy.seeded(RANDOM.nextLong());
    SharedFaultSwitch faultSwitch = faultSwitches.get(self.index());
    return List.of(
        new ByzantineMachine(
            self,
            SERVERS,
            () -> new OrderingServer(objects.mode()),
            OrderingTypes.ALL,
            new OrderingForger(),
            chance,
            faultSwitch),
        new ByzantineMachine(
            self,
            SERVERS,
            () -> locks.serverMachine(LockScope.everything(), chance),
            locks.types(),
            new BackoffForger(timing),
            chance,
            faultSwitch));
  }

  /** One client process, as it were. */
  NettyClient connect(String principal) {
    return servers.client(principal);
  }

  LockClient locks(NettyClient connections) {
    return LockClient.on(connections, SERVERS, BYZANTINE)
        .backend(locks)
        .seals(GroupRankSeals.of(NAME, Map.of("", groupKey)))
        .build();
  }

  ObjectClient objects(NettyClient connections) {
    return ObjectClient.on(connections, SERVERS, BYZANTINE)
        .backend(objects)
        .seals(ObjectSeals.group(NAME, Map.of("", groupKey)))
        .build();
  }

  SharedFaultSwitch faultSwitch(ServerId server) {
    return faultSwitches.get(server.index());
  }

  /** Ends a server as if its process was killed; its journal stays. */
  void kill(ServerId server) {
    servers.kill(server);
  }

  /** Starts it again with its journal. */
  void restart(ServerId server) {
    servers.restart(server);
  }

  static ServerSet ids() {
    return ServerSet.firstN(SERVERS);
  }

  @Override
  public void close() {
    servers.close();
    groupKey.close();
  }
}
