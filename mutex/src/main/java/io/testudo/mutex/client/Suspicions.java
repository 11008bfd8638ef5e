package io.testudo.mutex.client;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Suspicion;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What speaks against each server. */
public final class Suspicions {
  private final Map<ServerId, Long> counts = new ConcurrentHashMap<>();

  /** Takes what a client half tells. */
  public void count(Event event) {
    if (event instanceof Outvoted outvoted) {
      counts.merge(outvoted.server(), 1L, Long::sum);
    } else if (event instanceof Suspicion suspicion) {
      counts.merge(suspicion.server(), 1L, Long::sum);
    }
  }

  /** By server, s0 first. Servers against whom nothing speaks are absent. */
  public ImmutableMap<ServerId, Long> counts() {
    ImmutableMap.Builder<ServerId, Long> sorted = ImmutableMap.builder();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparingInt(ServerId::index)))
        .forEach(sorted::put);
    return sorted.buildOrThrow();
  }
}
