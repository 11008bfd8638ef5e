package io.testudo.mutex.dht.overlay;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A place on the ring of 2^64 ids, of a member or of a client beside the ring. The order is that of
 * unsigned numbers.
 */
public record NodeId(long bits) implements Comparable<NodeId> {
  /** Digits of an id, of {@link #DIGIT_BITS} each. */
  static final int DIGITS = 16;

  static final int DIGIT_BITS = 4;
  static final int DIGIT_VALUES = 1 << DIGIT_BITS;

  @Override
  public int compareTo(NodeId other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  /** Written out: members are looked up with each message, and the JDK's way is slower. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeId node && bits == node.bits;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(bits);
  }

  /** How far it is from one place up to another, as an unsigned number. */
  static long clockwise(long from, long to) {
    return to - from;
  }

  /** How far two places are apart, whichever way is shorter; unsigned, at most 2^63. */
  static long apart(long one, long other) {
    long there = other - one;
    return Long.compareUnsigned(there, -there) <= 0 ? there : -there;
  }

  /** A digit of a place, the highest is the first. */
  static int digit(long place, int row) {
    return (int) (place >>> (Long.SIZE - DIGIT_BITS * (row + 1))) & (DIGIT_VALUES - 1);
  }

  /** How many of the first digits two places have in common. */
  static int sharedDigits(long one, long other) {
    return Long.numberOfLeadingZeros(one ^ other) / DIGIT_BITS;
  }

  /** Short, for people. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%08x", bits >>> Integer.SIZE);
  }
}
