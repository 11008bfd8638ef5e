package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.Goodbye;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.sim.EventQueue;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of a ring and the network between them, in virtual time. A node that dies loses all that it
 * knows; what is on its way to it is lost, or reaches the one that starts with the same id.
 */
public final class RingWorld {
  private static final long WALL_MILLIS = 1_000_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** Members that a joiner knows. */
  private static final int CONTACTS = 3;

  private static final long MILLI = 1_000_000L;

  /** Makes the mutex of a node, with a source of chance of its own. */
  public interface Backends {
    DhtNode.Maker of(NodeId self, Entropy entropy);
  }

  /** How long a message takes from one node to another. */
  public interface Delays {
    long nanos(NodeId from, NodeId to);
  }

  /** Hears what the mutexes of nodes answer and tell. */
  public interface Listener {
    void completed(RunningNode node, long call, Object result);

    default void failed(RunningNode node, long call, Throwable reason) {}

    default void told(RunningNode node, Object event) {}
  }

  private final Routings routings;
  private final OverlayTiming timing;
  private final Backends backends;
  private final Listener listener;
  private final Entropy entropy;
  private final EventQueue queue = new EventQueue();
  private final Map<NodeId, RunningNode> running = new HashMap<>();
  private final Members members;
  private final RingTraffic traffic = new RingTraffic();
  private final Map<NodeId, Integer> handled = new HashMap<>();
  private RingFaults faults;
  private Trace trace = Trace.off();
  private @Nullable Delays delays;
  private long steps;

  /** An empty world. */
  public RingWorld(
      Routings routings,
      OverlayTiming timing,
      RingFaults faults,
      Backends backends,
      Listener listener,
      Entropy entropy) {
    this.routings = routings;
    this.timing = timing;
    this.faults = faults;
    this.backends = backends;
    this.listener = listener;
    this.entropy = entropy;
    this.members = new Members(routings);
  }

  /** One in which nothing is lost, to measure how one lock is handed on. */
  static RingWorld lossless(
      Routings routings,
      DhtBackends backend,
      ReplicaPlan plan,
      Listener listener,
      Entropy entropy) {
    return new RingWorld(
        routings,
        new OverlayTiming(200 * MILLI, 500 * MILLI, 3),
        new RingFaults(0, 0, 10 * MILLI, 50 * MILLI, 0),
        (self, own) -> backend.maker(plan, own),
        listener,
        entropy);
  }

  /** A ring of so many members that know each other as they should: no joins are needed. */
  public void form(int count) {
    List<NodeId> ids = new ArrayList<>();
    while (members.size() < count) {
      NodeId id = new NodeId(entropy.nextLong());
      if (members.add(id)) {
        ids.add(id);
      }
    }
    for (NodeId id : ids) {
      Routing routing = routings.of(id);
      members.introduce(routing, id, entropy);
      start(id, routing, true, List.of());
    }
  }

  /** A new member comes through others. */
  public NodeId join() {
    NodeId id = new NodeId(entropy.nextLong());
    join(id);
    return id;
  }

  /** A member comes with this id, and no memory. */
  public void join(NodeId id) {
    List<NodeId> contacts = members.some(CONTACTS, id, entropy);
    members.add(id);
    start(id, routings.of(id), true, contacts);
  }

  /** A client beside the ring. */
  public NodeId client() {
    NodeId id = new NodeId(entropy.nextLong());
    start(id, routings.of(id), false, members.some(CONTACTS, id, entropy));
    return id;
  }

  private void start(NodeId id, Routing routing, boolean member, List<NodeId> contacts) {
    Entropy own = entropy.fork(id.bits());
    double rate = 1 + faults.drift() * (2 * own.nextDouble() - 1);
    DhtNode machine = new DhtNode(id, routing, timing, member, contacts, backends.of(id, own));
    RunningNode node = new RunningNode(this, id, machine, member, rate);
    running.put(id, node);
    node.begin();
  }

  /** A node dies, with all that it knows. */
  public void kill(NodeId id) {
    RunningNode node = running.remove(id);
    if (node != null) {
      trace.note(nowNanos(), id, () -> "dies");
      node.end();
    }
    members.remove(id);
  }

  /** A member leaves in an orderly way. */
  public void leave(NodeId id) {
    RunningNode node = running.get(id);
    if (node != null) {
      node.machine().overlay().routing().leaves().forEach(to -> carry(id, to, new Goodbye()));
      kill(id);
    }
  }

  public void setFaults(RingFaults others) {
    faults = others;
  }

  /** From now on messages take so long, not by chance; null for chance again. */
  public void setDelays(@Nullable Delays others) {
    delays = others;
  }

  /** From now on every step is told there. */
  public void setTrace(Trace other) {
    trace = other;
  }

  Trace trace() {
    return trace;
  }

  /** The node, if it lives. */
  public @Nullable RunningNode node(NodeId id) {
    return running.get(id);
  }

  /** Those who are members, and own what. */
  public Members members() {
    return members;
  }

  /** All that live, members or not. */
  public Iterable<RunningNode> nodes() {
    return running.values();
  }

  void carry(NodeId from, NodeId to, Message message) {
    RingTraffic.Kind kind = RingTraffic.kindOf(message);
    traffic.count(kind);
    if (faults.loss() == 0 || !entropy.chance(faults.loss())) {
      arrive(from, to, message, kind);
    }
    if (faults.duplication() > 0 && entropy.chance(faults.duplication())) {
      arrive(from, to, message, kind);
    }
  }

  private void arrive(NodeId from, NodeId to, Message message, RingTraffic.Kind kind) {
    queue.after(
        delay(from, to),
        () -> {
          RunningNode node = running.get(to);
          if (node != null) {
            if (kind == RingTraffic.Kind.PROTOCOL || kind == RingTraffic.Kind.HOP) {
              handled.merge(to, 1, Integer::sum);
            }
            node.receive(from, message);
          }
        });
  }

  private long delay(NodeId from, NodeId to) {
    if (delays != null) {
      return delays.nanos(from, to);
    }
    long spread = faults.longestNanos() - faults.shortestNanos();
    return faults.shortestNanos() + (spread == 0 ? 0 : entropy.nextLong(spread + 1));
  }

  Listener listener() {
    return listener;
  }

  /** Something is to happen after a time. */
  public Alarm.Ring after(long nanos, Runnable what) {
    return queue.after(nanos, what);
  }

  public long nowNanos() {
    return queue.nowNanos();
  }

  /** The moment on a clock of this rate. */
  Moment moment(double rate) {
    long shown = (long) (queue.nowNanos() * rate);
    return new Moment(shown, WALL_MILLIS + shown / NANOS_PER_MILLI);
  }

  /** Lets all happen until then. */
  public void runUntil(long untilNanos) {
    boolean[] reached = {false};
    queue.after(untilNanos - queue.nowNanos(), () -> reached[0] = true);
    while (!reached[0] && queue.runNext()) {
      steps++;
    }
  }

  public long steps() {
    return steps;
  }

  public RingTraffic traffic() {
    return traffic;
  }

  /** How many messages of the mutex each node has handled. */
  public Map<NodeId, Integer> handled() {
    return handled;
  }
}
