package io.testudo.mutex.client;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Suspicion;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What speaks against each server. That a server disagreed with enough others is counted apart: a
 * correct server does so whenever requests cross or a message is late.
 */
public final class Suspicions {
  private final Clock clock;
  private final Map<ServerId, Evidence> evidence = new ConcurrentHashMap<>();
  private final Map<ServerId, Long> disagreements = new ConcurrentHashMap<>();

  /**
   * That a server said what no correct server says.
   *
   * @param count how often
   * @param detail what it said the last time
   * @param last when that was
   */
  public record Evidence(long count, String detail, Instant last) {}

  /** Nothing speaks against any yet. */
  public Suspicions() {
    this(Clock.systemUTC());
  }

  Suspicions(Clock clock) {
    this.clock = clock;
  }

  /** Takes what a client machine tells. */
  public void count(Event event) {
    if (event instanceof Outvoted outvoted) {
      disagreements.merge(outvoted.server(), 1L, Long::sum);
    } else if (event instanceof Suspicion suspicion) {
      evidence.merge(
          suspicion.server(),
          new Evidence(1, suspicion.reason(), clock.instant()),
          (before, now) -> new Evidence(before.count() + 1, now.detail(), now.last()));
    }
  }

  /** By server, s0 first. Servers that never said what no correct server says are absent. */
  public ImmutableMap<ServerId, Evidence> evidence() {
    return sorted(evidence);
  }

  /** How often each server disagreed with enough others, by server; this is no suspicion. */
  public ImmutableMap<ServerId, Long> disagreements() {
    return sorted(disagreements);
  }

  private static <V> ImmutableMap<ServerId, V> sorted(Map<ServerId, V> byServer) {
    ImmutableMap.Builder<ServerId, V> sorted = ImmutableMap.builder();
    byServer.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparingInt(ServerId::index)))
        .forEach(sorted::put);
    return sorted.buildOrThrow();
  }
}
