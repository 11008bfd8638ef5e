package io.testudo.node;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.sim.RingSettings;
import io.testudo.mutex.protocol.LockTiming;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code simulate} that have to do with mutexes over a distributed hash table. */
final class RingOptions {
  /** What {@code --protocol} takes for all of them. */
  static final String PROTOCOL = "dht";

  private static final int DEFAULT_REPLICAS = 5;
  private static final int DEFAULT_VOTES = 4;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description =
          "With --protocol dht: which mutex; another name lists those there are (sigma-dht).")
  private @Nullable String backend;

  @Option(
      names = "--routing",
      paramLabel = "NAME",
      description = "With --protocol dht: prefix or ring (prefix).")
  private @Nullable String routing;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      description = "With --protocol dht: logical replicas of a lock (" + DEFAULT_REPLICAS + ").")
  private @Nullable Integer replicas;

  @Option(
      names = "--votes",
      paramLabel = "M",
      description = "With --protocol dht: how many must vote (" + DEFAULT_VOTES + " of 5).")
  private @Nullable Integer votes;

  /** For picocli, which makes the mixins of a command. */
  RingOptions() {}

  /** Whether they make sense for this protocol. */
  boolean areFor(String protocol) {
    boolean isRing = protocol.equals(PROTOCOL);
    if (!isRing && (backend != null || routing != null || replicas != null || votes != null)) {
      throw CommandException.usage(
          "--backend, --routing, --replicas and --votes belong to --protocol dht: add it or leave"
              + " them.");
    }
    return isRing;
  }

  /** What to run; as many resets as are tolerated if none are given. */
  RingSettings settings(@Nullable Integer resets) {
    String chosen = backend == null ? DhtBackends.SIGMA_DHT.word() : backend;
    DhtBackends kind =
        DhtBackends.ofWord(chosen)
            .orElseThrow(
                () ->
                    CommandException.usage(
                        "There is no backend %s: choose one of %s."
                            .formatted(chosen, DhtBackends.words())));
    String way = routing == null ? Routings.PREFIX.word() : routing;
    Routings routings =
        Routings.ofWord(way)
            .orElseThrow(
                () ->
                    CommandException.usage("--routing is prefix or ring, not %s.".formatted(way)));
    int count = replicas == null ? DEFAULT_REPLICAS : replicas;
    int needed = votes == null ? Math.min(DEFAULT_VOTES, count) : votes;
    ReplicaPlan plan = ReplicaPlan.of(count, needed, LockTiming.standard());
    int forgetting = resets == null ? plan.resetsBorne() : resets;
    if (forgetting < 0 || forgetting > count) {
      throw CommandException.usage("--resets must be from 0 to the %d replicas.".formatted(count));
    }
    return new RingSettings(kind, routings, plan, forgetting);
  }
}
