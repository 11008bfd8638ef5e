package io.testudo.mutex.dht;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.Neighbours;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A node whose messages a test hands over one by one; what it routes is noted as sent to a key. */
public final class ByHandNode {
  private static final long MILLI = 1_000_000L;

  /** Something that the node routed, over a first hop of its choice if there is one. */
  public record Routed(long key, Message payload, @Nullable NodeId via) {}

  /** A call that a test makes to run something inside of a step. */
  private record Inside(Runnable what) implements Call<Boolean> {}

  private final class Host extends Machine<NodeId> {
    private final DhtBackend backend;

    Host(BiFunction<Part<NodeId>, Overlay, DhtBackend> maker) {
      this.backend = maker.apply(this, new Notes());
      onCall(
          Inside.class,
          (CallId<Boolean> id, Inside inside) -> {
            inside.what().run();
            complete(id, true);
          });
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      backend.cancelled(call);
    }
  }

  private final class Notes implements Overlay {
    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public boolean isMember() {
      return isMember;
    }

    @Override
    public void route(long key, Message payload) {
      routed.add(new Routed(key, payload, null));
    }

    @Override
    public void routeVia(NodeId first, long key, Message payload) {
      routed.add(new Routed(key, payload, first));
    }

    @Override
    public @Nullable Neighbours neighbours() {
      return neighbours;
    }

    @Override
    public ImmutableList<NodeId> known() {
      return known;
    }

    @Override
    public boolean owns(long key) {
      return ownsAll;
    }
  }

  private final NodeId self;
  private final Host host;
  private final List<Routed> routed = new ArrayList<>();
  private List<Effect<NodeId>> effects = List.of();
  private @Nullable Neighbours neighbours;
  private ImmutableList<NodeId> known = ImmutableList.of();
  private boolean isMember;
  private boolean ownsAll = true;
  private long nowMillis = 1_000;
  private long calls = 1_000_000;

  public ByHandNode(NodeId self, BiFunction<Part<NodeId>, Overlay, DhtBackend> maker) {
    this(self, true, maker);
  }

  /** A member, or a client beside the ring from its start on. */
  public ByHandNode(
      NodeId self, boolean isMember, BiFunction<Part<NodeId>, Overlay, DhtBackend> maker) {
    this.self = self;
    this.isMember = isMember;
    this.host = new Host(maker);
    take(new Input.Started<>(List.of()));
    inside(() -> host.backend.start());
  }

  public NodeId id() {
    return self;
  }

  private void take(Input<NodeId> input) {
    effects = host.step(input, new Moment(nowMillis * MILLI, 1_000_000_000L + nowMillis));
  }

  private void inside(Runnable what) {
    take(new Input.Called<>(new CallId<Boolean>(++calls), new Inside(what)));
  }

  /** The overlay has these neighbours for it from now on, and knows others. */
  public ByHandNode between(NodeId below, NodeId above, NodeId... others) {
    neighbours = new Neighbours(below, above);
    known = ImmutableList.<NodeId>builder().add(below, above).add(others).build();
    inside(() -> host.backend.neighboursChanged());
    return this;
  }

  /** The overlay knows these members from now on. */
  public ByHandNode knows(NodeId... members) {
    known = ImmutableList.copyOf(members);
    return this;
  }

  /** It is a client beside the ring from now on. */
  public ByHandNode besideTheRing() {
    isMember = false;
    return this;
  }

  /** Another has its keys from now on. */
  public ByHandNode ownsNothing() {
    ownsAll = false;
    return this;
  }

  /** Time passes; no timer rings by itself. */
  public ByHandNode after(long millis) {
    nowMillis += millis;
    return this;
  }

  public ByHandNode receive(NodeId from, Message message) {
    take(new Input.Received<>(from, message));
    return this;
  }

  /** A routed message has arrived here. */
  public ByHandNode deliver(Message message) {
    inside(() -> host.backend.deliver(0, message));
    return this;
  }

  /** A routed message passes here; whether it goes on. */
  public boolean forward(Message message, NodeId next) {
    boolean[] goesOn = {false};
    inside(() -> goesOn[0] = host.backend.forward(0, message, null, next));
    return goesOn[0];
  }

  /** What was sent takes another way, too, or beside the ring its first one. */
  public ByHandNode tookWay(Message message, NodeId next) {
    inside(() -> host.backend.tookWay(0, message, next));
    return this;
  }

  public ByHandNode call(long number, Call<?> call) {
    take(new Input.Called<>(new CallId<Object>(number), call));
    return this;
  }

  public ByHandNode cancel(long number) {
    take(new Input.Cancelled<>(new CallId<Object>(number)));
    return this;
  }

  public ByHandNode ring(TimerKey key) {
    take(new Input.TimerFired<>(key));
    return this;
  }

  /** The timers that the last step set. */
  public List<TimerKey> timers() {
    List<TimerKey> keys = new ArrayList<>();
    for (Effect<NodeId> effect : effects) {
      if (effect instanceof Effect.SetTimer<NodeId> timer) {
        keys.add(timer.key());
      }
    }
    return keys;
  }

  /** What the last step sent of this type. */
  public <M extends Message> List<M> sent(Class<M> type) {
    List<M> messages = new ArrayList<>();
    for (Effect<NodeId> effect : effects) {
      if (effect instanceof Effect.Send<NodeId> send && type.isInstance(send.message())) {
        messages.add(type.cast(send.message()));
      }
    }
    return messages;
  }

  /** What was routed of this type since the last time that this was asked. */
  public <M extends Message> List<M> routed(Class<M> type) {
    List<M> messages = new ArrayList<>();
    for (Routed one : routed) {
      if (type.isInstance(one.payload())) {
        messages.add(type.cast(one.payload()));
      }
    }
    routed.clear();
    return messages;
  }

  /** The same, by which first hops. */
  public <M extends Message> List<NodeId> routedVia(Class<M> type) {
    List<NodeId> ways = new ArrayList<>();
    for (Routed one : routed) {
      if (type.isInstance(one.payload()) && one.via() != null) {
        ways.add(one.via());
      }
    }
    routed.clear();
    return ways;
  }

  /** Whether the last step answered this call. */
  public boolean completed(long number) {
    return effects.stream()
        .anyMatch(
            effect ->
                effect instanceof Effect.Complete<NodeId> complete
                    && complete.id().number() == number);
  }

  /** Entries that are kept. */
  public int entries() {
    return host.backend.entries();
  }
}
