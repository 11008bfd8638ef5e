package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.wire.WireException.Fault;

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
  private final Schema<T> schema;

  private WireType(int number, Class<T> type, int maxBytes, Schema<T> schema) {
    checkArgument(number > 0 && number <= MAX_NUMBER, "the type number %s is out of range", number);
    checkArgument(maxBytes > 0, "type %s needs a maximal length", number);
    this.number = number;
    this.type = type;
    this.maxBytes = maxBytes;
    this.schema = schema;
  }

  /**
   * Describes a type by its fields.
   *
   * @param number its permanent number: never changed, never given to another type
   * @param maxBytes the maximal length of its protobuf bytes
   */
  public static <T> WireType<T> of(int number, Class<T> type, int maxBytes, Schema<T> schema) {
    return new WireType<>(number, type, maxBytes, schema);
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

  Schema<T> schema() {
    return schema;
  }

  /** Writes a record of this type into a writer without anything yet. */
  void write(Object value, WireWriter out) {
    schema.write(type.cast(value), out);
    // Our own code made this value: a longer one is our error, not a peer's.
    if (out.length() > maxBytes) {
      throw new IllegalArgumentException(
          "a %s of %s bytes is above its maximum of %s".formatted(name(), out.length(), maxBytes));
    }
  }

  /** Reads a record from all that is left. */
  T decode(WireReader in) throws WireException {
    if (in.remaining() > maxBytes) {
      throw new WireException(
          Fault.OVERSIZE, name() + " has " + in.remaining() + " bytes, its maximum is " + maxBytes);
    }
    try {
      return schema.read(in);
    } catch (WireException | IllegalArgumentException e) {
      throw new WireException(Fault.MALFORMED, "no " + name() + ": " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return name() + "(" + number + ")";
  }
}
