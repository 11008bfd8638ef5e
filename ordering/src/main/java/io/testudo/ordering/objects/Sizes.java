package io.testudo.ordering.objects;

import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.quorum.Bytes;

/** How many bytes values take when written. */
final class Sizes {
  /** The longest element that can be given back as a result. */
  static final int MAX_ELEMENT_BYTES = ObjectLimits.MAX_RESULT_BYTES - 64;

  /** A count or index and what else a state has beside its elements. */
  static final int HEADER_BYTES = 32;

  private Sizes() {}

  static int of(Bytes value) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value.size() | 1);
    return (bits + 6) / 7 + value.size();
  }

  /** Of a number. */
  static int of(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(((value << 1) ^ (value >> 63)) | 1);
    return (bits + 6) / 7;
  }

  /** Refuses an element that could be put in but never be taken out. */
  static Bytes checkElement(Bytes element) {
    if (element.size() > MAX_ELEMENT_BYTES) {
      throw new ValueTooLargeException("an element", MAX_ELEMENT_BYTES);
    }
    return element;
  }
}
