package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.testudo.quorum.wire.WireException.Fault;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A record that travels or is stored: its permanent number, its maximal length, and its fields.
 *
 * @param <T> the record
 */
public final class WireType<T> {
  /** The numbers a type may have: two bytes on the wire at most. */
  public static final int MAX_NUMBER = 16_383;

  private final int number;
  private final Class<T> type;
  private final int maxBytes;
  private final BiConsumer<T, WireWriter> writer;
  private final BytesReader<T> reader;
  private final Supplier<ImmutableList<FieldForm>> forms;

  private interface BytesReader<T> {
    T read(byte[] bytes, int offset, int length)
        throws WireException, InvalidProtocolBufferException;
  }

  private WireType(
      int number,
      Class<T> type,
      int maxBytes,
      BiConsumer<T, WireWriter> writer,
      BytesReader<T> reader,
      Supplier<ImmutableList<FieldForm>> forms) {
    checkArgument(number > 0 && number <= MAX_NUMBER, "the type number %s is out of range", number);
    checkArgument(maxBytes > 0, "type %s needs a maximal length", number);
    this.number = number;
    this.type = type;
    this.maxBytes = maxBytes;
    this.writer = writer;
    this.reader = reader;
    this.forms = forms;
  }

  /**
   * Describes a type by its fields.
   *
   * @param number its permanent number: never changed, never given to another type
   * @param maxBytes the maximal length of its protobuf bytes
   */
  public static <T> WireType<T> of(int number, Class<T> type, int maxBytes, Schema<T> schema) {
    return new WireType<>(
        number,
        type,
        maxBytes,
        schema::write,
        (bytes, offset, length) -> schema.read(new WireReader(bytes, offset, length)),
        schema::forms);
  }

  /**
   * Describes a type by the class that protoc generates of its schema.
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
        (value, out) -> out.generated(toProto.apply(value)),
        (bytes, offset, length) -> fromProto.apply(known.parseFrom(bytes, offset, length)),
        () -> forms(empty(parser).getDescriptorForType()));
  }

  private static Message empty(Parser<? extends Message> parser) {
    try {
      return parser.parseFrom(new byte[0]);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a protobuf message without fields could not be read", e);
    }
  }

  private static ImmutableList<FieldForm> forms(Descriptor message) {
    ImmutableList.Builder<FieldForm> forms = ImmutableList.builder();
    for (FieldDescriptor field : message.getFields()) {
      WireKind kind = WireKind.valueOf(field.getType().name());
      forms.add(
          new FieldForm(
              field.getNumber(),
              kind,
              field.isRepeated(),
              kind == WireKind.MESSAGE ? forms(field.getMessageType()) : ImmutableList.of()));
    }
    return forms.build();
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

  /** The fields on the wire, by number. */
  ImmutableList<FieldForm> forms() {
    return forms.get();
  }

  /** Writes a record of this type into a writer without anything yet. */
  void write(Object value, WireWriter out) {
    writer.accept(type.cast(value), out);
    // Our own code made this value: a longer one is our error, not a peer's.
    checkArgument(
        out.length() <= maxBytes,
        "a %s of %s bytes is above its maximum of %s",
        name(),
        out.length(),
        maxBytes);
  }

  /** Reads a record from a part of a buffer that holds it exactly. */
  T decode(byte[] bytes, int offset, int length) throws WireException {
    if (length > maxBytes) {
      throw new WireException(
          Fault.OVERSIZE, name() + " has " + length + " bytes, its maximum is " + maxBytes);
    }
    try {
      return reader.read(bytes, offset, length);
    } catch (WireException | InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new WireException(Fault.MALFORMED, "no " + name() + ": " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return name() + "(" + number + ")";
  }
}
