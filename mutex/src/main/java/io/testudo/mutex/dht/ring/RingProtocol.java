package io.testudo.mutex.dht.ring;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.mutex.dht.zone.ZoneSettings;
import io.testudo.mutex.protocol.LockChoice;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ShareQuorum;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All that others must know of a lock protocol on a ring, as a value. Configuration, commands and
 * clients read it; all nodes of a ring must be given the same one.
 *
 * @param description one sentence on what it is
 * @param whyUnfenced why its leases have no fencing token; empty if they do
 * @param replicas of each lock, where some members are that
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

  private static final String ROUTING = "routing";
  private static final String REPLICAS = "replicas";
  private static final String VOTES = "votes";

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

  /** Whether each lock has replicas; else all members vote for all locks. */
  public boolean hasReplicas() {
    return backend.hasReplicas();
  }

  /** What a deployment may choose about it beside the time bounds. */
  public ImmutableList<LockChoice> choices() {
    LockChoice routings =
        new LockChoice(
            ROUTING,
            Routings.PREFIX.word(),
            "prefix (as Pastry) or ring (as Chord); the locks are the same.");
    if (!hasReplicas()) {
      return ImmutableList.of(routings);
    }
    return ImmutableList.of(
        routings,
        new LockChoice(
            REPLICAS, Integer.toString(DEFAULT_REPLICAS), "Logical replicas of each lock."),
        new LockChoice(
            VOTES,
            Integer.toString(DEFAULT_VOTES),
            "How many replicas must vote; 2 x votes - replicas - 1 may forget during a hold."));
  }

  /**
   * The same protocol as a deployment has chosen it.
   *
   * @throws IllegalArgumentException if that cannot be, with what can
   */
  public RingProtocol withChoices(Map<String, String> chosen) {
    String way = chosen.getOrDefault(ROUTING, routing.word());
    Routings chosenRouting =
        Routings.ofWord(way)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s.%s is '%s'; choose prefix or ring".formatted(name(), ROUTING, way)));
    return withRouting(chosenRouting)
        .withReplicas(number(chosen, REPLICAS, replicas), number(chosen, VOTES, votes));
  }

  private int number(Map<String, String> chosen, String key, int otherwise) {
    String text = chosen.get(key);
    if (text == null) {
      return otherwise;
    }
    Integer number = Ints.tryParse(text);
    checkArgument(
        number != null && number > 0 && number <= ServerId.MAX_SERVERS,
        "%s.%s is '%s'; write a number from 1 to %s",
        name(),
        key,
        text,
        ServerId.MAX_SERVERS);
    return number;
  }

  /** The longest hold that replicas grant. */
  public Duration maxHold() {
    return Duration.ofNanos(timing.maxHoldNanos());
  }

  /** How many replicas of a lock may forget during a hold. */
  public int resetsTolerated() {
    return plan().resetsBorne();
  }

  /**
   * What members that lie can do, in a sentence. There is no number of them: what counts is how
   * much of the space they own.
   *
   * @param certified whether members show certificates of their own, as with tls
   */
  public String liarsTolerated(boolean certified) {
    if (!backend.canTolerateLiars()) {
      return "No member may lie.";
    }
    if (!certified) {
      return "No member may lie: with hmac nothing shows whose space it votes with, with tls"
          + " certificates do.";
    }
    ShareQuorum quorum = ZoneSettings.THREE_QUARTERS;
    return String.format(
        Locale.ROOT,
        "Members that lie let no two hold a lock while they own less than %.0f %% of the space, and"
            + " stop nobody with up to %.0f %%.",
        100 * quorum.shared(),
        100 * quorum.dispensable());
  }

  private ReplicaPlan plan() {
    return ReplicaPlan.of(replicas, votes, timing);
  }

  DhtNode.Maker maker(Entropy entropy) {
    return backend.maker(plan(), entropy);
  }

  DhtNode.Maker maker(Entropy entropy, MemberCertificates certificates) {
    return backend.maker(plan(), entropy, certificates);
  }
}
