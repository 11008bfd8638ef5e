package io.testudo.bench.virtual;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Servers and clients, and the messages between them, in virtual time. No message is lost. */
public final class VirtualNetwork {
  private final VirtualTime time;
  private final ToLongBiFunction<ClientId, ServerId> delayNanos;
  private final boolean inOrder;
  private final Map<ServerId, BiConsumer<ClientId, Message>> servers = new HashMap<>();
  private final Map<ClientId, SimulatedMachine<ServerId>> clients = new HashMap<>();
  private final Map<Link, Long> lastArrivals = new HashMap<>();
  private ToLongFunction<Message> size = message -> 0;
  private @Nullable VirtualCores cores;
  private long messages;
  private long bytes;

  /** One way between a client and a server. */
  private record Link(ClientId client, ServerId server, boolean toServer) {}

  /**
   * A network without members.
   *
   * @param delayNanos draws how long a message takes between these two, whoever sends it
   * @param inOrder whether none overtakes another on its way, as on a connection
   */
  public VirtualNetwork(
      VirtualTime time, ToLongBiFunction<ClientId, ServerId> delayNanos, boolean inOrder) {
    this.time = time;
    this.delayNanos = delayNanos;
    this.inOrder = inOrder;
  }

  /** Starts a server. */
  public SimulatedMachine<ClientId> serve(ServerId self, Machine<ClientId> machine) {
    SimulatedMachine<ClientId> server =
        new SimulatedMachine<>(machine, time, new ServerSurroundings(self));
    serve(self, (from, message) -> server.take(new Input.Received<>(from, message)));
    return server;
  }

  /** From now on this one hears what is said to a server. */
  public void serve(ServerId self, BiConsumer<ClientId, Message> listener) {
    servers.put(self, listener);
  }

  /** Starts a client, which sends by {@link #carry(ClientId, ServerId, Message)}. */
  public SimulatedMachine<ServerId> join(
      ClientId id,
      Machine<ServerId> machine,
      SimulatedMachine.Surroundings<ServerId> surroundings) {
    SimulatedMachine<ServerId> client = new SimulatedMachine<>(machine, time, surroundings);
    clients.put(id, client);
    return client;
  }

  /** A client is gone, with all that it knows; what it sent arrives. */
  public void leave(ClientId id) {
    SimulatedMachine<ServerId> client = clients.remove(id);
    if (client != null) {
      client.end();
      lastArrivals.keySet().removeIf(link -> link.client().equals(id));
    }
  }

  /** From now on a message costs its receiver time, on these; all clients are one process. */
  public void computeOn(VirtualCores shared) {
    this.cores = shared;
  }

  /** How many were sent so far. */
  public long messages() {
    return messages;
  }

  /** From now on the bytes of messages are counted by this. */
  public void measureBy(ToLongFunction<Message> bytesOf) {
    this.size = bytesOf;
  }

  /** How many were sent so far, of those messages that were measured. */
  public long bytes() {
    return bytes;
  }

  public void carry(ClientId from, ServerId to, Message message) {
    bytes += size.applyAsLong(message);
    deliver(
        new Link(from, to, true),
        () -> {
          BiConsumer<ClientId, Message> server = servers.get(to);
          if (server != null) {
            server.accept(from, message);
          }
        });
  }

  /** Nobody hears what is said to a client that has left, or what it has no ear for. */
  public void carry(ServerId from, ClientId to, Message message) {
    bytes += size.applyAsLong(message);
    deliver(
        new Link(to, from, false),
        () -> {
          SimulatedMachine<ServerId> client = clients.get(to);
          if (client != null && client.handles(message)) {
            client.take(new Input.Received<>(from, message));
          }
        });
  }

  private void deliver(Link link, Runnable arrival) {
    messages++;
    long delay = delayNanos.applyAsLong(link.client(), link.server());
    if (inOrder) {
      long at = Math.max(time.nowNanos() + delay, lastArrivals.getOrDefault(link, 0L));
      lastArrivals.put(link, at);
      delay = at - time.nowNanos();
    }
    time.after(delay, () -> arrive(link, arrival));
  }

  private void arrive(Link link, Runnable handling) {
    if (cores == null) {
      handling.run();
    } else {
      cores.handle(link.toServer() ? link.server() : clients, handling);
    }
  }

  private final class ServerSurroundings implements SimulatedMachine.Surroundings<ClientId> {
    private final ServerId self;

    ServerSurroundings(ServerId self) {
      this.self = self;
    }

    @Override
    public void send(ClientId to, Message message) {
      carry(self, to, message);
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
}
