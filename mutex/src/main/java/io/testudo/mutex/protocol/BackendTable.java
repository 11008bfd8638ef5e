package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Comparator;
import java.util.Map;

/**
 * Which lock protocol serves which names: the one of the longest prefix. It is a part of a
 * deployment's configuration, the same at all members; a server refuses what is bound to another
 * protocol. To change a binding, close the prefix first: docs/decisions/0008. Immutable.
 */
public final class BackendTable {
  /** In the place of a protocol: no server serves these names. */
  public static final String CLOSED = "closed";

  /** Each message is compared with the prefixes one by one. */
  public static final int MAX_PREFIXES = 256;

  private static final Comparator<String> LONGEST_FIRST =
      Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

  private final ImmutableSortedMap<String, Binding> byPrefix;

  /**
   * What names with a prefix are bound to.
   *
   * @param backend the name of a protocol, or {@link #CLOSED}
   * @param fenceFloor all fencing tokens from now on are above it
   */
  public record Binding(String backend, long fenceFloor) {
    public Binding {
      checkArgument(!backend.isEmpty(), "a protocol has a name");
      checkArgument(fenceFloor >= 0, "a fence floor of %s is negative", fenceFloor);
    }
  }

  private BackendTable(Map<String, Binding> bindings) {
    checkArgument(
        bindings.size() <= MAX_PREFIXES, "more than %s prefixes are too many", MAX_PREFIXES);
    byPrefix = ImmutableSortedMap.copyOf(bindings, LONGEST_FIRST);
  }

  /** All names are bound to one protocol. */
  public static BackendTable all(String backend) {
    return new BackendTable(Map.of("", new Binding(backend, 0)));
  }

  /** The same, but for names with a prefix. */
  public BackendTable with(String prefix, String backend) {
    return with(prefix, new Binding(backend, 0));
  }

  /** The same, but for names with a prefix. */
  public BackendTable with(String prefix, Binding binding) {
    ImmutableSortedMap.Builder<String, Binding> changed =
        ImmutableSortedMap.orderedBy(LONGEST_FIRST);
    byPrefix.forEach(
        (other, kept) -> {
          if (!other.equals(prefix)) {
            changed.put(other, kept);
          }
        });
    return new BackendTable(changed.put(prefix, binding).buildOrThrow());
  }

  /**
   * A fence floor for names that change their protocol now: above all tokens so far, if no client's
   * clock was ever further ahead of this one than servers and clients believe without proof.
   */
  public static long fenceFloorAt(long wallMillis, LockTiming timing) {
    return RankClock.atWall(wallMillis + timing.maxSkewMillis());
  }

  /** What a lock is bound to. */
  public Binding bindingOf(String lock) {
    for (Map.Entry<String, Binding> entry : byPrefix.entrySet()) {
      if (lock.startsWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    throw new IllegalStateException("the empty prefix is always there");
  }

  /** The protocols that serve any names. */
  public ImmutableSet<String> backends() {
    return byPrefix.values().stream()
        .map(Binding::backend)
        .filter(backend -> !backend.equals(CLOSED))
        .collect(ImmutableSet.toImmutableSet());
  }

  /** The names that one protocol serves. */
  public LockScope scopeOf(String backend) {
    return new LockScope() {
      @Override
      public boolean serves(String lock) {
        return bindingOf(lock).backend().equals(backend);
      }

      @Override
      public long fenceFloor(String lock) {
        return bindingOf(lock).fenceFloor();
      }
    };
  }

  @Override
  public String toString() {
    return "BackendTable" + byPrefix;
  }
}
