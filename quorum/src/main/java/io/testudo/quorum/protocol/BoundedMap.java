package io.testudo.quorum.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map with a most number of entries: one more takes the place of the eldest. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int maxEntries;

  private BoundedMap(int maxEntries, boolean byUse) {
    super(16, 0.75f, byUse);
    this.maxEntries = maxEntries;
  }

  /** The eldest is the one that was put in first. */
  public static <K, V> Map<K, V> byAge(int maxEntries) {
    return new BoundedMap<>(maxEntries, false);
  }

  /** The eldest is the one that was not looked at for the longest. */
  public static <K, V> Map<K, V> byUse(int maxEntries) {
    return new BoundedMap<>(maxEntries, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > maxEntries;
  }
}
