package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.testudo.quorum.wire.WireException.Fault;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A record that travels or is stored: its permanent number, its maximal length, and the way to
 * protobuf and back.
 *
 * @param <T> the record
 */
public final class WireType<T> {
  /** The numbers a type may have: two bytes on the wire at most. */
  public static final int MAX_NUMBER = 16_383;

  private final int number;
  private final Class<T> type;
  private final int maxBytes;
  private final Function<T, ? extends MessageLite> toProto;
  private final BytesReader<T> fromBytes;
  private final Supplier<Message> emptyProto;

  private interface BytesReader<T> {
    T read(byte[] bytes, int offset, int length) throws InvalidProtocolBufferException;
  }

  private WireType(
      int number,
      Class<T> type,
      int maxBytes,
      Function<T, ? extends MessageLite> toProto,
      BytesReader<T> fromBytes,
      Supplier<Message> emptyProto) {
    checkArgument(number > 0 && number <= MAX_NUMBER, "the type number %s is out of range", number);
    checkArgument(maxBytes > 0, "type %s needs a maximal length", number);
    this.number = number;
    this.type = type;
    this.maxBytes = maxBytes;
    this.toProto = toProto;
    this.fromBytes = fromBytes;
    this.emptyProto = emptyProto;
  }

  /**
   * Describes a type.
   *
   * @param number its permanent number: never changed, never given to another type
   * @param maxBytes the maximal length of its protobuf bytes
   * @param fromProto may throw IllegalArgumentException (the record's own checks do): the bytes are
   *     then malformed
   */
  public static <T, B extends Message> WireType<T> of(
      int number,
      Class<T> type,
      int maxBytes,
      Function<T, B> toProto,
      Parser<B> parser,
      Function<B, T> fromProto) {
    // Fields that this build does not know must not cost memory either.
    Parser<B> known = DiscardUnknownFieldsParser.wrap(parser);
    return new WireType<>(
        number,
        type,
        maxBytes,
        toProto,
        (bytes, offset, length) -> fromProto.apply(known.parseFrom(bytes, offset, length)),
        () -> empty(parser));
  }

  private static Message empty(Parser<? extends Message> parser) {
    try {
      return parser.parseFrom(new byte[0]);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a protobuf message without fields could not be read", e);
    }
  }

  public int number() {
    return number;
  }

  public Class<T> type() {
    return type;
  }

  public int maxBytes() {
    return maxBytes;
  }

  /** The name that traces and counters use. */
  public String name() {
    return type.getSimpleName();
  }

  /** A protobuf message of this type without any field. */
  Message emptyProto() {
    return emptyProto.get();
  }

  /** The protobuf message of a record of this type. */
  MessageLite encode(Object value) {
    MessageLite proto = toProto.apply(type.cast(value));
    // Our own code made this value: a longer one is our error, not a peer's.
    checkArgument(
        proto.getSerializedSize() <= maxBytes,
        "a %s of %s bytes is above its maximum of %s",
        name(),
        proto.getSerializedSize(),
        maxBytes);
    return proto;
  }

  /** Reads a record from a part of a buffer that holds it exactly. */
  T decode(byte[] bytes, int offset, int length) throws WireException {
    if (length > maxBytes) {
      throw new WireException(
          Fault.OVERSIZE, name() + " has " + length + " bytes, its maximum is " + maxBytes);
    }
    try {
      return fromBytes.read(bytes, offset, length);
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new WireException(Fault.MALFORMED, "no " + name() + ": " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return name() + "(" + number + ")";
  }
}
