package io.testudo.mutex.dht.backends;

import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.e2e.E2eBackend;
import io.testudo.mutex.dht.e2e.E2eSettings;
import io.testudo.mutex.dht.partial.PartialBackend;
import io.testudo.mutex.dht.partial.PartialSettings;
import io.testudo.mutex.dht.sigma.SigmaBackend;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.mutex.dht.zone.ZoneBackend;
import io.testudo.mutex.dht.zone.ZoneSettings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The mutexes over a distributed hash table that there are. */
public enum DhtBackends {
  /** Each replica is looked up once, and talked to directly. */
  SIGMA_DHT("sigma-dht"),
  /** The same, but every request goes through the overlay: for comparison. */
  SIGMA_DHT_ROUTED("sigma-dht-routed"),
  /** The queue is at the holder, and travels with the lock. */
  E2E("e2e"),
  /** The same as the paper has it: who is handed the lock enters at once. Not safe. */
  E2E_UNCONFIRMED("e2e-unconfirmed"),
  /** Hops keep parts of the queue. */
  NON_E2E("non-e2e"),
  /** All members vote, with their shares of the space, by Sigma's rules. */
  ZONE("zone"),
  /** The same by the strawman's rules: for comparison. */
  ZONE_STRAWMAN("zone-strawman");

  /** How often those who wait on the path to a replica show that they do, at most. */
  private static final long REFRESH_NANOS = Duration.ofSeconds(2).toNanos();

  /** Until a member is known to its neighbours, though some messages are lost. */
  private static final long NOTICE_NANOS = Duration.ofSeconds(3).toNanos();

  private final String word;

  DhtBackends(String word) {
    this.word = word;
  }

  /** A check in every second refresh period, as Sigma has it by default. */
  private static SigmaTuning tuning(LockTiming timing) {
    SigmaTuning usual = SigmaTuning.standard();
    return new SigmaTuning(
        usual.quarantine(),
        2 * timing.refreshNanos(),
        usual.firstYieldNanos(),
        usual.longestYieldNanos());
  }

  private static DhtNode.Maker sigma(ReplicaPlan plan, Entropy entropy, boolean routed) {
    return (node, overlay) ->
        new SigmaBackend(
            node,
            overlay,
            plan.thresholds(),
            plan.timing(),
            tuning(plan.timing()),
            routed,
            entropy);
  }

  private static DhtNode.Maker e2e(ReplicaPlan plan, Entropy entropy, boolean confirm) {
    E2eSettings settings = new E2eSettings(plan.thresholds(), plan.timing(), confirm);
    return (node, overlay) -> new E2eBackend(node, overlay, settings, entropy);
  }

  private static DhtNode.Maker partial(ReplicaPlan plan, Entropy entropy) {
    PartialSettings settings =
        new PartialSettings(
            plan.thresholds(),
            plan.timing(),
            Math.max(REFRESH_NANOS, plan.timing().refreshNanos()));
    return (node, overlay) -> new PartialBackend(node, overlay, settings, entropy);
  }

  private static DhtNode.Maker zone(
      ReplicaPlan plan, Entropy entropy, MemberCertificates certificates, boolean queues) {
    ZoneSettings settings =
        new ZoneSettings(
            ZoneSettings.THREE_QUARTERS,
            plan.timing(),
            certificates,
            queues,
            Math.max(REFRESH_NANOS, plan.timing().refreshNanos()),
            NOTICE_NANOS,
            true);
    return (node, overlay) -> new ZoneBackend(node, overlay, settings, entropy);
  }

  /** Whether some members are the replicas of a lock, so that it matters how many are reset. */
  public boolean hasReplicas() {
    return this != ZONE && this != ZONE_STRAWMAN;
  }

  /** What commands call it. */
  public String word() {
    return word;
  }

  /** Whether it can do with members that lie, where certificates show which space is whose. */
  public boolean canTolerateLiars() {
    return !hasReplicas();
  }

  /** Makes it for one node, with a source of chance of its own; members do not lie. */
  public DhtNode.Maker maker(ReplicaPlan plan, Entropy entropy) {
    return maker(plan, entropy, MemberCertificates.ofChannels());
  }

  /** The same; certificates tell what members may claim, where that matters. */
  public DhtNode.Maker maker(ReplicaPlan plan, Entropy entropy, MemberCertificates certificates) {
    return switch (this) {
      case SIGMA_DHT -> sigma(plan, entropy, false);
      case SIGMA_DHT_ROUTED -> sigma(plan, entropy, true);
      case E2E -> e2e(plan, entropy, true);
      case E2E_UNCONFIRMED -> e2e(plan, entropy, false);
      case NON_E2E -> partial(plan, entropy);
      case ZONE -> zone(plan, entropy, certificates, true);
      case ZONE_STRAWMAN -> zone(plan, entropy, certificates, false);
    };
  }

  public static Optional<DhtBackends> ofWord(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }

  /** All words, for people. */
  public static String words() {
    return Arrays.stream(values()).map(DhtBackends::word).collect(Collectors.joining(", "));
  }
}
