package io.testudo.bench.reproduce;

import io.testudo.bench.virtual.SimulatedMachine;
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
  private final List<SimulatedMachine<ClientId>> servers = new ArrayList<>();
  private final Map<ClientId, Client> clients = new HashMap<>();
  private long messages;

  ModelCluster(ModelProtocol protocol, int serverCount, Latency latency, Entropy entropy) {
    this.protocol = protocol;
    this.latency = latency;
    this.entropy = entropy;
    for (ServerId server : ServerSet.firstN(serverCount)) {
      servers.add(startServer(server));
    }
  }

  private SimulatedMachine<ClientId> startServer(ServerId self) {
    return new SimulatedMachine<>(
        protocol.newServer(self, entropy.fork(self.index())), time, new ServerSurroundings(self));
  }

  VirtualTime time() {
    return time;
  }

  int servers() {
    return servers.size();
  }

  /** How many were sent so far. */
  long messages() {
    return messages;
  }

  /** A server loses its memory; what is on its way to it arrives all the same. */
  void forget(int server) {
    servers.get(server).end();
    servers.set(server, startServer(new ServerId(server)));
  }

  /** A client that nobody has heard of. */
  Client newClient() {
    return new Client(entropy.fork(clients.size()));
  }

  private void deliver(long delayNanos, Runnable arrival) {
    messages++;
    time.after(delayNanos, arrival);
  }

  private final class ServerSurroundings implements SimulatedMachine.Surroundings<ClientId> {
    private final ServerId self;

    ServerSurroundings(ServerId self) {
      this.self = self;
    }

    @Override
    public void send(ClientId to, Message message) {
      Client client = clients.get(to);
      if (client == null) {
        throw new IllegalStateException("a server writes to a client that never was");
      }
      deliver(
          client.latencyNanos[self.index()],
          () -> client.machine.take(new Input.Received<>(self, message)));
    }

    @Override
    public void completed(long call, Object result) {
      throw new IllegalStateException("nobody calls a server");
    }

    @Override
    public void failed(long call, Throwable reason) {
      throw new IllegalStateException("nobody calls a server", reason);
    }
  }

  /** One client. Its critical section is empty: it leaves in the instant in which it enters. */
  final class Client implements SimulatedMachine.Surroundings<ServerId> {
    private final ClientId id;
    private final long[] latencyNanos;
    private final SimulatedMachine<ServerId> machine;
    private Runnable whenLeft = () -> {};
    private long calls;

    private Client(Entropy chance) {
      this.id = new ClientId("client" + clients.size(), chance.nextLong(), 0);
      this.latencyNanos = new long[servers.size()];
      for (int i = 0; i < latencyNanos.length; i++) {
        latencyNanos[i] = latency.drawNanos(chance);
      }
      clients.put(id, this);
      this.machine = new SimulatedMachine<>(protocol.newClient(id, chance), time, this);
    }

    /** Waits for the lock, enters, leaves, and says so. */
    void takeTurn(Runnable whenDone) {
      whenLeft = whenDone;
      Acquire wish = Acquire.of(LOCK, HOLD_NANOS, Acquire.FOREVER);
      machine.take(new Input.Called<>(new CallId<Held>(++calls), wish));
    }

    @Override
    public void send(ServerId to, Message message) {
      deliver(
          latencyNanos[to.index()],
          () -> servers.get(to.index()).take(new Input.Received<>(id, message)));
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
