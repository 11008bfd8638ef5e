package io.testudo.node.config;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.mutex.protocol.LockTiming;
import java.time.Duration;
import java.util.Map;

/**
 * How locks are served; the same for all members.
 *
 * @param backend the protocol of names for which no prefix says otherwise
 * @param prefixes protocols of names that start so; the longest prefix counts
 * @param crashes how many servers may forget at a time, for protocols that bear no liars
 */
public record LockSettings(
    String backend, ImmutableSortedMap<String, String> prefixes, int crashes, LockTiming timing) {
  public static final String DEFAULT_BACKEND = BackoffBackend.NAME;

  static LockSettings of(Settings settings) {
    LockTiming standard = LockTiming.standard();
    try {
      return new LockSettings(
          settings.text("lock.backend", DEFAULT_BACKEND),
          ImmutableSortedMap.copyOf(settings.texts("lock.prefixes")),
          settings.number("lock.crashes", 1),
          new LockTiming(
              settings.duration("lock.delay", Duration.ofNanos(standard.delayNanos())).toNanos(),
              settings.fraction("lock.drift", standard.drift()),
              settings
                  .duration("lock.refresh", Duration.ofNanos(standard.refreshNanos()))
                  .toNanos(),
              settings
                  .duration("lock.max-hold", Duration.ofNanos(standard.maxHoldNanos()))
                  .toNanos(),
              settings
                  .duration("lock.max-skew", Duration.ofMillis(standard.maxSkewMillis()))
                  .toMillis()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw settings.wrong("lock", "cannot be: " + e.getMessage());
    }
  }

  /** The protocol of a lock. */
  public String backendOf(String lock) {
    String longest = "";
    String chosen = backend;
    for (Map.Entry<String, String> choice : prefixes.entrySet()) {
      if (lock.startsWith(choice.getKey()) && choice.getKey().length() >= longest.length()) {
        longest = choice.getKey();
        chosen = choice.getValue();
      }
    }
    return chosen;
  }

  /** Every protocol that is in use. */
  public ImmutableSortedSet<String> backends() {
    return ImmutableSortedSet.<String>naturalOrder().add(backend).addAll(prefixes.values()).build();
  }
}
