package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that is its place in the overlay: it hands messages on, joins, watches its
 * neighbours and repairs what it knows when one is gone. A client beside the ring has one, too,
 * which knows only some members to enter through.
 *
 * <p>Each hop is acknowledged. A member that gives no receipt is avoided at once and asked whether
 * it lives; only when it was silent several times does it count as gone, because its neighbour then
 * takes its keys over, and starts with nothing.
 */
public final class OverlayNode extends Part<NodeId> implements Overlay {
  /** Hops without a receipt that are remembered; the oldest goes first, and may be lost. */
  private static final int MAX_PENDING = 4_096;

  /** So often a hop is sent before it is given up: its sender asks again in the end. */
  private static final int MAX_TRIES = 8;

  /** With so many under way members are slow, and all that is sent again makes them slower. */
  private static final int MANY_PENDING = 256;

  /** Longer ways mean that members disagree on who is there; what is on them starts anew. */
  private static final int MAX_HOPS = 64;

  private static final int MAX_SEEN = 4_096;
  private static final int MAX_DOUBLINGS = 4;
  private static final int MAX_EARLY = 1_024;

  private record Upkeep() implements TimerKey {}

  private record Unreceipted(long number) implements TimerKey {}

  private record Seen(NodeId from, long number) {}

  private record Silence(int count, long sinceNanos) {}

  private record Early(long key, Message payload) {}

  private record Pending(NodeId to, Hop hop, int tries) {}

  private final NodeId self;
  private final Routing routing;
  private final OverlayTiming timing;
  private final boolean member;
  private final OverlayListener listener;
  private final Map<Long, Pending> pending = new LinkedHashMap<>();

  /** How often in a row a member was silent. Who is in here is avoided where it can be. */
  private final Map<NodeId, Silence> misses = new LinkedHashMap<>();

  /** Neighbours that were asked whether they live, and have not answered yet. */
  private final Set<NodeId> probed = new LinkedHashSet<>();

  private final GoneMembers gone;

  /** Hops that came: one that comes again goes on once, or their number would explode. */
  private final Map<Seen, Boolean> seen = BoundedMap.byAge(MAX_SEEN);

  /** What a client beside the ring has to say before it has heard of any member. */
  private final Deque<Early> early = new ArrayDeque<>();

  private final Entrances entrances;
  private boolean joined;
  private int nextLeaf;
  private long lastNumber;

  /**
   * Makes the part.
   *
   * @param contacts members through which it joins or, beside the ring, enters; empty for the first
   *     member of all
   * @param listener hears what arrives
   */
  public OverlayNode(
      Part<NodeId> node,
      NodeId self,
      Routing routing,
      OverlayTiming timing,
      boolean member,
      List<NodeId> contacts,
      OverlayListener listener) {
    super(node);
    this.self = self;
    this.routing = routing;
    this.timing = timing;
    this.gone = new GoneMembers(timing.probeNanos());
    this.member = member;
    this.entrances = new Entrances(contacts);
    this.listener = listener;
    onMessage(Hop.class, this::onHop);
    onMessage(HopReceipt.class, this::onReceipt);
    onMessage(Acquaintances.class, this::onAcquaintances);
    onMessage(AskMembers.class, (from, ask) -> onAskMembers(from));
    onMessage(Welcome.class, this::onWelcome);
    onMessage(MemberHello.class, (from, hello) -> meet(from));
    onMessage(Goodbye.class, (from, goodbye) -> bury(from));
    onMessage(Probe.class, this::onProbe);
    onMessage(ProbeReply.class, this::onProbeReply);
    onTimer(Upkeep.class, due -> onUpkeep());
    onTimer(Unreceipted.class, this::onUnreceipted);
  }

  /** To be called at the start of the machine. */
  public void start() {
    lastNumber = now().nanos(); // Above those of an earlier life with the same id.
    joined = entrances.isEmpty() || !routing.known().isEmpty();
    if (member && joined) {
      listener.neighboursChanged();
    } else if (member) {
      join();
    } else {
      // All of them: the few that it begins with may be gone before their turn would come.
      sendAll(entrances.all(), new AskMembers());
    }
    setTimer(new Upkeep(), timing.probeNanos());
  }

  private void join() {
    sendHop(entrances.next(), self.bits(), 0, new JoinRequest(self), 1);
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public boolean isMember() {
    return member;
  }

  @Override
  public boolean owns(long key) {
    return member && joined && routing.zone().contains(key);
  }

  @Override
  public @Nullable Neighbours neighbours() {
    return member && joined ? routing.between() : null;
  }

  @Override
  public ImmutableList<NodeId> known() {
    return member ? routing.known() : entrances.known();
  }

  /** What this node knows of the others, for pictures and checks. */
  public Routing routing() {
    return routing;
  }

  /** Whether it has found its place, for pictures and checks. */
  public boolean hasJoined() {
    return joined;
  }

  @Override
  public void route(long key, Message payload) {
    pass(key, payload, null, 0);
  }

  @Override
  public void routeVia(NodeId first, long key, Message payload) {
    if (first.equals(self)) {
      route(key, payload);
    } else {
      sendHop(first, key, 0, payload, 1);
    }
  }

  private void pass(long key, Message payload, @Nullable NodeId previous, int travelled) {
    if (!member || !joined) {
      if (!entrances.isEmpty()) {
        sendAnotherWay(entrances.present(), key, travelled, payload, 1);
      } else if (early.size() < MAX_EARLY) {
        early.add(new Early(key, payload));
      }
      return;
    }
    NodeId next = nextHop(key, payload);
    if (next == null) {
      deliver(key, payload);
    } else if (travelled < MAX_HOPS && forward(key, payload, previous, next)) {
      sendHop(next, key, travelled, payload, 1);
    }
  }

  private @Nullable NodeId nextHop(long key, Message payload) {
    if (payload instanceof JoinRequest join) { // It may be known from before, and has no memory.
      return routing.nextHop(key, node -> misses.containsKey(node) || node.equals(join.joiner()));
    }
    NodeId next = routing.nextHop(key, misses::containsKey);
    // A neighbour that is silent keeps its keys until it counts as gone.
    return next != null ? next : routing.nextHop(key, node -> false);
  }

  private boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    if (payload instanceof JoinRequest join) {
      send(join.joiner(), new Acquaintances(routing.known()));
      return true;
    }
    return payload instanceof OverlayMessage || listener.forward(key, payload, previous, next);
  }

  private void deliver(long key, Message payload) {
    if (payload instanceof JoinRequest join) {
      welcome(join.joiner());
    } else if (payload instanceof GapLookup gap) {
      send(gap.asker(), new MemberHello());
    } else {
      listener.deliver(key, payload);
    }
  }

  private void welcome(NodeId joiner) {
    if (!joiner.equals(self)) {
      send(joiner, new Welcome(routing.leaves()));
    }
  }

  private void onWelcome(NodeId from, Welcome welcome) {
    if (member && !joined) {
      joined = true;
      meetAll(from, welcome.leaves());
      listener.neighboursChanged(); // It may have heard of all of them before, and owns keys now.
      sendAll(routing.known(), new MemberHello());
    }
  }

  private void sendAnotherWay(NodeId to, long key, int travelled, Message payload, int tries) {
    if (!(payload instanceof OverlayMessage)) {
      listener.tookWay(key, payload, to);
    }
    sendHop(to, key, travelled, payload, tries);
  }

  private void sendHop(NodeId to, long key, int travelled, Message payload, int tries) {
    send(to, new Hop(++lastNumber, member && joined, key, travelled + 1, payload), tries);
  }

  private void send(NodeId to, Hop hop, int tries) {
    if (pending.size() >= MAX_PENDING) {
      Long eldest = pending.keySet().iterator().next();
      pending.remove(eldest);
      cancelTimer(new Unreceipted(eldest));
    }
    pending.put(hop.number(), new Pending(to, hop, tries));
    send(to, hop);
    // Longer each time: where members are slow, asking again at once makes them slower.
    long patienceNanos = timing.receiptNanos() << Math.min(tries - 1, MAX_DOUBLINGS);
    setTimer(new Unreceipted(hop.number()), patienceNanos);
  }

  private void onHop(NodeId from, Hop hop) {
    if (!member || !joined) {
      return; // Without a receipt the sender takes another way.
    }
    send(from, new HopReceipt(hop.number()));
    if (seen.put(new Seen(from, hop.number()), true) != null) {
      return;
    }
    if (hop.isFromMember()) {
      meet(from);
    }
    if (hop.payload() instanceof JoinRequest join && join.joiner().equals(from)) {
      gone.remove(from);
    }
    pass(hop.key(), hop.payload(), from, hop.travelled());
  }

  private void onReceipt(NodeId from, HopReceipt receipt) {
    Pending known = pending.get(receipt.number());
    if (known != null && known.to().equals(from)) {
      pending.remove(receipt.number());
      cancelTimer(new Unreceipted(receipt.number()));
    }
    misses.remove(from); // Also by one that is late: it lives.
  }

  private void onUnreceipted(Unreceipted due) {
    Pending lost = pending.remove(due.number());
    if (lost == null) {
      return;
    }
    Hop hop = lost.hop();
    boolean isTriedAgain = lost.tries() < MAX_TRIES && pending.size() < MANY_PENDING;
    if (!member || !joined) {
      entrances.avoid(lost.to());
      if (isTriedAgain && !entrances.isEmpty()) {
        sendAnotherWay(
            entrances.present(), hop.key(), hop.travelled() - 1, hop.payload(), lost.tries() + 1);
      }
      return;
    }
    missed(lost.to());
    if (isTriedAgain) {
      NodeId next = nextHop(hop.key(), hop.payload());
      if (next == null) {
        deliver(hop.key(), hop.payload());
      } else if (next.equals(lost.to())) {
        send(next, hop, lost.tries() + 1); // By the same number: it may have come.
      } else {
        sendAnotherWay(next, hop.key(), hop.travelled() - 1, hop.payload(), lost.tries() + 1);
      }
    }
  }

  /**
   * One more silence of a member: it is asked whether it lives, or counts as gone. Many hops that
   * are lost at one time are one silence.
   */
  private void missed(NodeId node) {
    Silence before = misses.get(node);
    long nowNanos = now().nanos();
    if (before != null && nowNanos - before.sinceNanos() < timing.receiptNanos()) {
      return;
    }
    int count = before == null ? 1 : before.count() + 1;
    misses.put(node, new Silence(count, nowNanos));
    if (count >= timing.missesUntilGone()) {
      bury(node);
    } else {
      send(node, new Probe());
    }
  }

  private void bury(NodeId node) {
    misses.remove(node);
    probed.remove(node);
    gone.add(node, now().nanos());
    if (routing.forget(node)) {
      listener.neighboursChanged();
    }
  }

  private void onProbe(NodeId from, Probe probe) {
    if (member && joined) {
      send(from, new ProbeReply(routing.leaves()));
      meet(from);
    }
  }

  /** Something came from a member itself: it lives. */
  private void meet(NodeId node) {
    misses.remove(node);
    probed.remove(node);
    gone.remove(node);
    if (member && routing.meet(node)) {
      listener.neighboursChanged();
    }
  }

  private void meetAll(NodeId from, List<NodeId> heardOf) {
    meet(from);
    boolean changed = false;
    for (NodeId node : heardOf) {
      if (member && !gone.contains(node, now().nanos())) {
        changed |= routing.meet(node);
      }
    }
    if (changed) {
      listener.neighboursChanged();
    }
  }

  private void onAskMembers(NodeId from) {
    if (member && joined) {
      send(from, new Acquaintances(routing.leaves()));
    }
  }

  private void onAcquaintances(NodeId from, Acquaintances known) {
    if (member) {
      meetAll(from, known.nodes());
      return;
    }
    entrances.answered(from, known.nodes());
    List<Early> held = List.copyOf(early);
    early.clear();
    held.forEach(one -> route(one.key(), one.payload()));
  }

  /**
   * What others say of their leaves is checked before it is believed: else those that are gone
   * would come back by hearsay for ever.
   */
  private void onProbeReply(NodeId from, ProbeReply reply) {
    meet(from);
    for (NodeId node : reply.leaves()) {
      if (member && routing.wants(node) && !gone.contains(node, now().nanos())) {
        gone.add(node, now().nanos()); // Until it says something itself.
        send(node, new Probe());
      }
    }
  }

  private void probe(NodeId node) {
    if (!misses.containsKey(node) && probed.add(node)) {
      send(node, new Probe());
    }
  }

  /** Watches the neighbours, and closes one gap. */
  private void onUpkeep() {
    setTimer(new Upkeep(), timing.probeNanos());
    if (!member) {
      if (!entrances.isEmpty()) {
        send(entrances.ask(), new AskMembers());
      }
      return;
    }
    if (!joined) {
      join();
      return;
    }
    if (!misses.isEmpty() || !probed.isEmpty()) {
      Set<NodeId> silent = new LinkedHashSet<>(misses.keySet());
      silent.addAll(probed);
      probed.clear();
      silent.forEach(this::missed);
    }
    routing.neighbours().forEach(this::probe);
    ImmutableList<NodeId> leaves = routing.leaves();
    if (!leaves.isEmpty()) { // The others in turn, or those that are gone would never be missed.
      probe(leaves.get(nextLeaf++ % leaves.size()));
    }
    routing.nextGap().ifPresent(key -> route(key, new GapLookup(self)));
  }
}
