package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Entropy;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;

/**
 * Carries frames between nodes, and loses, doubles, delays, reorders and replays them as the plan
 * says. A frame always arrives under the name of the node that sent it: channels are authenticated.
 */
final class SimNetwork {
  /** Of each link, so many frames are remembered for a replay. */
  private static final int REMEMBERED = 8;

  private final EventQueue events;
  private final Entropy entropy;
  private final FaultPlan plan;
  private final RunStats stats;
  private final Link[][] links;
  private final BitSet nearest = new BitSet();
  private boolean healed;

  private static final class Link {
    final Deque<Parcel> past = new ArrayDeque<>();
    FaultKind cutKind = FaultKind.PARTITION;
    long cutUntilNanos;
    long cloggedUntilNanos;
    long clogNanos;
    long lastArrivalNanos;
  }

  /** Takes a parcel in at its destination. */
  interface Receiver {
    void arrive(Parcel parcel);
  }

  private final Receiver receiver;

  SimNetwork(
      int nodes,
      EventQueue events,
      Entropy entropy,
      FaultPlan plan,
      RunStats stats,
      Receiver receiver) {
    this.events = events;
    this.entropy = entropy;
    this.plan = plan;
    this.stats = stats;
    this.receiver = receiver;
    this.links = new Link[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        links[from][to] = new Link();
      }
    }
  }

  void send(Parcel parcel) {
    stats.sent(events.nowNanos(), parcel);
    Link link = links[parcel.from()][parcel.to()];
    if (healed) {
      deliver(link, parcel, latency(parcel));
      return;
    }
    if (events.nowNanos() < link.cutUntilNanos) {
      stats.fault(link.cutKind);
      return;
    }
    if (entropy.chance(plan.loss())) {
      stats.fault(FaultKind.LOSS);
      return;
    }
    deliver(link, parcel, latency(parcel));
    if (entropy.chance(plan.duplication())) {
      stats.fault(FaultKind.DUPLICATION);
      deliver(link, parcel, latency(parcel));
    }
    if (!link.past.isEmpty() && entropy.chance(plan.replay())) {
      stats.fault(FaultKind.REPLAY);
      deliver(link, pick(link), latency(parcel));
    }
    link.past.addLast(parcel);
    if (link.past.size() > REMEMBERED) {
      link.past.removeFirst();
    }
  }

  private Parcel pick(Link link) {
    Iterator<Parcel> past = link.past.iterator();
    for (int steps = entropy.nextInt(link.past.size()); steps > 0; steps--) {
      past.next();
    }
    return past.next();
  }

  private long latency(Parcel parcel) {
    if (nearest.get(parcel.from()) || nearest.get(parcel.to())) {
      return plan.minLatencyNanos();
    }
    long range = plan.maxLatencyNanos() - plan.minLatencyNanos() + 1;
    return plan.minLatencyNanos() + entropy.nextLong(range);
  }

  private void deliver(Link link, Parcel parcel, long latencyNanos) {
    long delay = latencyNanos;
    if (!healed && events.nowNanos() < link.cloggedUntilNanos) {
      stats.fault(FaultKind.CLOG);
      delay += entropy.nextLong(link.clogNanos);
    }
    long arrival = events.nowNanos() + delay;
    if (!healed && arrival < link.lastArrivalNanos) {
      stats.fault(FaultKind.REORDERING);
    }
    link.lastArrivalNanos = Math.max(link.lastArrivalNanos, arrival);
    events.after(delay, () -> receiver.arrive(parcel));
  }

  /** This node is near to all others. */
  void bringNear(int node) {
    nearest.set(node);
  }

  /** Nothing gets from one node to another for a time. */
  void cut(int from, int to, long forNanos, FaultKind kind) {
    Link link = links[from][to];
    link.cutKind = kind;
    link.cutUntilNanos = events.nowNanos() + forNanos;
  }

  /** What goes from one node to another for a time takes up to so much longer. */
  void clog(int from, int to, long forNanos, long delayNanos) {
    Link link = links[from][to];
    link.cloggedUntilNanos = events.nowNanos() + forNanos;
    link.clogNanos = delayNanos;
  }

  /** From now on every frame arrives once. What is under way still arrives. */
  void heal() {
    healed = true;
  }
}
