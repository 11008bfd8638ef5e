package io.testudo.mutex.dht.ring;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.Optional;

/**
 * All that others must know of a lock protocol on a ring, as a value. Configuration, commands and
 * clients read it; all nodes of a ring must be given the same one.
 *
 * @param description one sentence on what it is
 * @param whyUnfenced why its leases have no fencing token; empty if they do
 * @param replicas of each lock
 * @param votes how many of them must vote for a holder
 */
public record RingProtocol(
    DhtBackends backend,
    String description,
    Optional<String> whyUnfenced,
    Routings routing,
    int replicas,
    int votes,
    LockTiming timing,
    OverlayTiming overlay) {
  /** As many as the simulator has: two replicas of a lock may forget during a hold. */
  public static final int DEFAULT_REPLICAS = 5;

  public static final int DEFAULT_VOTES = 4;

  public RingProtocol {
    checkArgument(
        votes <= replicas && 2 * (long) votes > replicas,
        "%s of %s votes are no majority",
        votes,
        replicas);
  }

  /** What configurations call it. */
  public String name() {
    return backend.word();
  }

  public RingProtocol withRouting(Routings other) {
    return new RingProtocol(
        backend, description, whyUnfenced, other, replicas, votes, timing, overlay);
  }

  public RingProtocol withReplicas(int others, int needed) {
    return new RingProtocol(
        backend, description, whyUnfenced, routing, others, needed, timing, overlay);
  }

  public RingProtocol withTiming(LockTiming other) {
    return new RingProtocol(
        backend, description, whyUnfenced, routing, replicas, votes, other, overlay);
  }

  public RingProtocol withOverlay(OverlayTiming other) {
    return new RingProtocol(
        backend, description, whyUnfenced, routing, replicas, votes, timing, other);
  }

  /** The longest hold that replicas grant. */
  public Duration maxHold() {
    return Duration.ofNanos(timing.maxHoldNanos());
  }

  /** How many replicas of a lock may forget during a hold. */
  public int resetsTolerated() {
    return plan().resetsBorne();
  }

  private ReplicaPlan plan() {
    return ReplicaPlan.of(replicas, votes, timing);
  }

  DhtNode.Maker maker(Entropy entropy) {
    return backend.maker(plan(), entropy);
  }
}
