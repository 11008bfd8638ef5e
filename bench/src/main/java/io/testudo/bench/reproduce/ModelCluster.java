package io.testudo.bench.reproduce;

import io.testudo.bench.virtual.SimulatedMachine;
import io.testudo.bench.virtual.VirtualNetwork;
import io.testudo.bench.virtual.VirtualTime;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Servers and clients of one protocol, in virtual time. A message takes as long as the latency of
 * its pair says, in both directions alike; none is lost, and none takes time to be handled.
 */
final class ModelCluster {
  private static final String LOCK = "lock";
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long MAX_EVENTS = 200_000_000L;
  private static final long HOLD_NANOS = Duration.ofSeconds(10).toNanos();

  private final ModelProtocol protocol;
  private final Latency latency;
  private final Entropy entropy;
  private final VirtualTime time = new VirtualTime(WALL_MILLIS, MAX_EVENTS);
  private final Map<ClientId, long[]> latenciesNanos = new HashMap<>();
  private final VirtualNetwork network =
      new VirtualNetwork(time, this::latencyNanos, /* inOrder= */ false);
  private final List<SimulatedMachine<ClientId>> servers = new ArrayList<>();

  ModelCluster(ModelProtocol protocol, int serverCount, Latency latency, Entropy entropy) {
    this.protocol = protocol;
    this.latency = latency;
    this.entropy = entropy;
    for (ServerId server : ServerSet.firstN(serverCount)) {
      servers.add(startServer(server));
    }
  }

  private SimulatedMachine<ClientId> startServer(ServerId self) {
    return network.serve(self, protocol.newServer(self, entropy.fork(self.index())));
  }

  private long latencyNanos(ClientId client, ServerId server) {
    long[] ofClient = latenciesNanos.get(client);
    if (ofClient == null) {
      throw new IllegalStateException("a server writes to a client that never was");
    }
    return ofClient[server.index()];
  }

  VirtualTime time() {
    return time;
  }

  int servers() {
    return servers.size();
  }

  /** How many were sent so far. */
  long messages() {
    return network.messages();
  }

  /** A server loses its memory; what is on its way to it arrives all the same. */
  void forget(int server) {
    servers.get(server).end();
    servers.set(server, startServer(new ServerId(server)));
  }

  /** A client that nobody has heard of. */
  Client newClient() {
    return new Client(entropy.fork(latenciesNanos.size()));
  }

  /** One client. Its critical section is empty: it leaves in the instant in which it enters. */
  final class Client implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final SimulatedMachine<ServerId> machine;
    private Runnable whenLeft = () -> {};
    private long calls;

    private Client(Entropy chance) {
      this.id = new ClientId("client" + latenciesNanos.size(), chance.nextLong(), 0);
      long[] own = new long[servers.size()];
      Arrays.setAll(own, server -> latency.drawNanos(chance));
      latenciesNanos.put(id, own);
      this.machine = network.join(id, protocol.newClient(id, chance), this);
    }

    /** Waits for the lock, enters, leaves, and says so. */
    void takeTurn(Runnable whenDone) {
      whenLeft = whenDone;
      Acquire wish = Acquire.of(LOCK, HOLD_NANOS, Acquire.FOREVER);
      machine.take(new Input.Called<>(new CallId<Held>(++calls), wish));
    }

    @Override
    public void send(ServerId to, Message message) {
      network.carry(id, to, message);
    }

    @Override
    public void completed(long call, Object result) {
      if (result instanceof Held held) {
        // In this instant, but after the step that let it in.
        time.after(0, () -> leave(held));
      }
    }

    private void leave(Held held) {
      machine.take(
          new Input.Called<>(new CallId<Boolean>(++calls), new ReleaseCall(LOCK, held.token())));
      whenLeft.run();
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new IllegalStateException("a call that waits for ever failed", reason);
    }
  }
}
