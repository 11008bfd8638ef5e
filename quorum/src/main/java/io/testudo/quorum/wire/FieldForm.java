package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;

/**
 * What a schema says of one field.
 *
 * @param inside the fields of the message that it holds, by number; none unless it holds one
 */
record FieldForm(int number, WireKind kind, boolean repeated, ImmutableList<FieldForm> inside) {
  static FieldForm of(int number, WireKind kind) {
    return new FieldForm(number, kind, false, ImmutableList.of());
  }

  /** Repeated numbers stand one behind the other under one tag. */
  boolean packed() {
    return repeated && kind.wireType() != WireReader.DELIMITED;
  }

  /** What stands before the value. */
  int tag() {
    return (number << 3) | (packed() ? WireReader.DELIMITED : kind.wireType());
  }

  /** Whether a value of this wire type is one of this field; others are passed over. */
  boolean takes(int wireType) {
    return wireType == kind.wireType() || (packed() && wireType == WireReader.DELIMITED);
  }
}
