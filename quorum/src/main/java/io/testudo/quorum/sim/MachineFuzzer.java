package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.RandomMessages;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A property test of any protocol: its servers and clients work as usual, with messages late, lost
 * and crossed, timers, calls, restarts; meanwhile anybody says anything that a decoder lets through
 * to anybody. No machine may throw, all that it sends and keeps must fit its wire type, and what
 * the cast checks (memory, above all) must hold after each step. It is no simulation: nothing is
 * promised to come about, and no safety is checked.
 */
public final class MachineFuzzer {
  private static final int MAX_UNDER_WAY = 256;
  private static final long LONGEST_LEAP_NANOS = 60_000_000_000L;
  private static final long WALL_MILLIS = 1_700_000_000_000L;

  /** Who takes part. */
  public interface Cast {
    WireTypes types();

    int servers();

    int clients();

    Machine<ClientId> server(ServerId self, Entropy entropy);

    Machine<ServerId> client(ClientId self, Entropy entropy);

    /** Something that an application asks of a client. */
    Call<?> call(Entropy entropy);

    /** Throws if a machine has grown beyond its bound. */
    default void check(Machine<?> machine) {}
  }

  /** A machine with what surrounds it. */
  private static final class Node<P> {
    final String name;
    Machine<P> machine;
    final Map<TimerKey, Long> timers = new LinkedHashMap<>();
    List<byte[]> disk = new ArrayList<>();
    final Map<Long, CallId<?>> calls = new HashMap<>();

    Node(String name, Machine<P> machine) {
      this.name = name;
      this.machine = machine;
    }
  }

  /** A message on its way, from one machine to another. */
  private record UnderWay(ClientId client, ServerId server, boolean toServer, Message message) {}

  private final Cast cast;
  private final long seed;
  private final Entropy entropy;
  private final RandomMessages messages;
  private final FrameCodec frames;
  private final StateCodec records;
  private final List<Node<ClientId>> servers = new ArrayList<>();
  private final List<ClientId> clientIds = new ArrayList<>();
  private final List<Node<ServerId>> clients = new ArrayList<>();
  private final List<UnderWay> underWay = new ArrayList<>();
  private long nowNanos = 1;
  private long lastCall;

  private MachineFuzzer(Cast cast, long seed) {
    this.cast = cast;
    this.seed = seed;
    this.entropy = Entropy.seeded(seed);
    this.messages = new RandomMessages(cast.types(), entropy);
    this.frames = new FrameCodec(cast.types(), WireLimits.AUTHENTICATED);
    this.records = new StateCodec(cast.types());
    for (int i = 0; i < cast.servers(); i++) {
      ServerId id = new ServerId(i);
      servers.add(new Node<>(id.toString(), cast.server(id, entropy)));
    }
    for (int i = 0; i < cast.clients(); i++) {
      ClientId id = new ClientId("client" + i, i + 1, 1);
      clientIds.add(id);
      clients.add(new Node<>(id.toString(), cast.client(id, entropy)));
    }
  }

  /**
   * Runs it.
   *
   * @throws AssertionError if a machine throws, or a check does
   */
  public static void run(Cast cast, long seed, int steps) {
    MachineFuzzer run = new MachineFuzzer(cast, seed);
    for (Node<ClientId> server : run.servers) {
      run.step(server, new Input.Started<>(List.of()));
    }
    for (Node<ServerId> client : run.clients) {
      run.step(client, new Input.Started<>(List.of()));
    }
    for (int i = 0; i < steps; i++) {
      run.something();
    }
  }

  private void something() {
    int what = entropy.nextInt(100);
    if (what < 40) {
      deliver();
    } else if (what < 60) {
      say(new UnderWay(someClient(), someServer(), true, messages.next()));
    } else if (what < 75) {
      say(
          new UnderWay(
              clientIds.get(entropy.nextInt(clientIds.size())),
              someServer(),
              false,
              messages.next()));
    } else if (what < 90) {
      waitForTimer();
    } else if (what < 97) {
      call();
    } else if (what < 99) {
      cancel();
    } else {
      restart();
    }
  }

  /** One that takes part, or a principal of its own with any session and handle. */
  private ClientId someClient() {
    return entropy.nextInt(2) == 0
        ? clientIds.get(entropy.nextInt(clientIds.size()))
        : new ClientId("mallory" + entropy.nextInt(3), entropy.nextLong(), entropy.nextInt(4));
  }

  private ServerId someServer() {
    return new ServerId(entropy.nextInt(servers.size()));
  }

  private void deliver() {
    if (!underWay.isEmpty()) {
      int index = entropy.nextInt(underWay.size());
      // Now and then it comes again.
      say(entropy.nextInt(10) == 0 ? underWay.get(index) : underWay.remove(index));
    }
  }

  private void say(UnderWay said) {
    if (said.toServer()) {
      Node<ClientId> server = servers.get(said.server().index());
      if (server.machine.handles(said.message())) {
        step(server, new Input.Received<>(said.client(), said.message()));
      }
      return;
    }
    int index = clientIds.indexOf(said.client());
    if (index >= 0 && clients.get(index).machine.handles(said.message())) {
      step(clients.get(index), new Input.Received<>(said.server(), said.message()));
    }
  }

  private void waitForTimer() {
    nowNanos += entropy.nextInt(20) == 0 ? entropy.nextLong(LONGEST_LEAP_NANOS) : 0;
    if (entropy.nextInt(2) == 0) {
      ring(servers.get(entropy.nextInt(servers.size())));
    } else {
      ring(clients.get(entropy.nextInt(clients.size())));
    }
  }

  private <P> void ring(Node<P> node) {
    Map.Entry<TimerKey, Long> next =
        node.timers.entrySet().stream()
            .min((a, b) -> Long.compare(a.getValue() - b.getValue(), 0))
            .orElse(null);
    if (next != null) {
      TimerKey key = next.getKey();
      nowNanos = Math.max(nowNanos, next.getValue());
      node.timers.remove(key);
      step(node, new Input.TimerFired<>(key));
    }
  }

  private void call() {
    Node<ServerId> client = clients.get(entropy.nextInt(clients.size()));
    CallId<Object> id = new CallId<>(++lastCall);
    client.calls.put(id.number(), id);
    step(client, new Input.Called<>(id, cast.call(entropy)));
  }

  private void cancel() {
    Node<ServerId> client = clients.get(entropy.nextInt(clients.size()));
    Iterator<CallId<?>> calls = client.calls.values().iterator();
    if (calls.hasNext()) {
      CallId<?> id = calls.next();
      calls.remove();
      step(client, new Input.Cancelled<>(id));
    }
  }

  /** What it kept must let it start again, whatever it was told to keep. */
  private void restart() {
    int index = entropy.nextInt(servers.size());
    Node<ClientId> server = servers.get(index);
    List<StateRecord> kept = new ArrayList<>();
    for (byte[] bytes : server.disk) {
      try {
        kept.add(records.decode(bytes));
      } catch (WireException e) {
        throw failed(server, "what it kept", e);
      }
    }
    server.timers.clear();
    server.machine = cast.server(new ServerId(index), entropy);
    step(server, new Input.Started<>(kept));
  }

  private <P> void step(Node<P> node, Input<P> input) {
    nowNanos += entropy.nextInt(1_000_000);
    try {
      List<Effect<P>> effects =
          node.machine.step(input, new Moment(nowNanos, WALL_MILLIS + nowNanos / 1_000_000));
      for (Effect<P> effect : effects) {
        perform(node, effect);
      }
      if (entropy.nextInt(50) == 0 && !node.disk.isEmpty()) {
        node.disk = new ArrayList<>(node.machine.snapshot().stream().map(records::encode).toList());
      }
      cast.check(node.machine);
    } catch (RuntimeException | Error e) {
      throw failed(node, String.valueOf(input), e);
    }
  }

  private <P> void perform(Node<P> node, Effect<P> effect) {
    if (effect instanceof Effect.Send<P> send) {
      byte[] bytes = frames.encodeMessage(new Envelope(1, send.message()));
      if (bytes.length < 1 << 16) {
        messages.saw(send.message());
      }
      if (underWay.size() >= MAX_UNDER_WAY) {
        underWay.remove(entropy.nextInt(underWay.size()));
      }
      underWay.add(onItsWay(node, send));
    } else if (effect instanceof Effect.Persist<P> persist) {
      node.disk.add(records.encode(persist.record()));
    } else if (effect instanceof Effect.SetTimer<P> timer) {
      node.timers.remove(timer.key());
      node.timers.put(timer.key(), nowNanos + timer.delayNanos());
    } else if (effect instanceof Effect.CancelTimer<P> timer) {
      node.timers.remove(timer.key());
    } else if (effect instanceof Effect.Complete<P> complete) {
      node.calls.remove(complete.id().number());
    } else if (effect instanceof Effect.Fail<P> failure) {
      node.calls.remove(failure.id().number());
    }
  }

  private <P> UnderWay onItsWay(Node<P> node, Effect.Send<P> send) {
    if (send.to() instanceof ClientId client) {
      return new UnderWay(client, new ServerId(servers.indexOf(node)), false, send.message());
    }
    ServerId server = (ServerId) send.to();
    return new UnderWay(clientIds.get(clients.indexOf(node)), server, true, send.message());
  }

  private AssertionError failed(Node<?> node, String input, Throwable cause) {
    String shown = input.length() > 2_000 ? input.substring(0, 2_000) + "..." : input;
    return new AssertionError(
        "seed %s: %s failed on %s: %s".formatted(seed, node.name, shown, cause), cause);
  }
}
