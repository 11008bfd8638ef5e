package io.testudo.quorum.wire;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.wire.Schema.Slots;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One field on the wire. */
abstract class Leaf<T, V> extends Field<T, V> {
  final int number;
  final WireKind kind;
  final boolean repeated;

  /** What stands before the value. */
  final int tag;

  /** Of the message that it holds; null unless it holds one. */
  final @Nullable Schema<?> inside;

  Leaf(int number, WireKind kind, boolean repeated, @Nullable Schema<?> inside) {
    this.number = number;
    this.kind = kind;
    this.repeated = repeated;
    this.inside = inside;
    this.tag = (number << 3) | (packed() ? WireReader.DELIMITED : kind.wireType());
  }

  Leaf(int number, WireKind kind) {
    this(number, kind, false, null);
  }

  /** Repeated numbers stand one behind the other under one tag. */
  final boolean packed() {
    return repeated && kind.wireType() != WireReader.DELIMITED;
  }

  /** Whether a value of this wire type is one of this field; others are passed over. */
  final boolean takes(int wireType) {
    return wireType == kind.wireType() || wireType == (tag & WireReader.WIRE_TYPE);
  }

  @Override
  final ImmutableList<Leaf<T, ?>> leaves() {
    return ImmutableList.of(this);
  }

  abstract void write(T it, WireWriter out);

  /** Reads a value of this wire type. */
  abstract void read(WireReader in, int wireType, Slots to) throws WireException;

  /** The same field of a record that this one is a part of. */
  final <O> Leaf<O, V> within(Function<O, T> part) {
    Leaf<T, V> own = this;
    return new Leaf<>(number, kind, repeated, inside) {
      @Override
      void write(O it, WireWriter out) {
        own.write(part.apply(it), out);
      }

      @Override
      void read(WireReader in, int wireType, Slots to) throws WireException {
        own.read(in, wireType, to);
      }

      @Override
      V in(Slots slots) {
        return own.in(slots);
      }
    };
  }
}
