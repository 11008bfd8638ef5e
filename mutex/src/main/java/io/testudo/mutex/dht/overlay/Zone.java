package io.testudo.mutex.dht.overlay;

/**
 * The keys that one member answers for: from the first, clockwise, to the last, both included. It
 * is never empty; a member that is alone has them all.
 */
public record Zone(long first, long last) {
  static final Zone ALL = new Zone(0, -1);

  public boolean contains(long key) {
    return Long.compareUnsigned(key - first, last - first) <= 0;
  }

  /** The part of all keys, from 0 to 1. */
  public double share() {
    double size = (double) ((last - first) >>> 1) * 2 + 1;
    return size * 0x1.0p-64;
  }
}
