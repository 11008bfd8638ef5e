package io.testudo.quorum.wire;

/** The kinds of protobuf values that our schemas use, and how each is read and written. */
enum WireKind {
  UINT32(WireReader.VARINT),
  UINT64(WireReader.VARINT),
  SINT64(WireReader.VARINT),
  BOOL(WireReader.VARINT),
  FIXED64(WireReader.FIXED64),
  STRING(WireReader.DELIMITED),
  BYTES(WireReader.DELIMITED),
  MESSAGE(WireReader.DELIMITED);

  private final int wireType;

  WireKind(int wireType) {
    this.wireType = wireType;
  }

  /** How the value's end is found: the lowest three bits of a tag. */
  int wireType() {
    return wireType;
  }

  /** The next value, as an Integer, Long, Boolean, String or byte[]. */
  Object read(WireReader in) throws WireException {
    return switch (this) {
      case UINT32 -> (int) readNumber(in);
      case UINT64, SINT64, FIXED64 -> readNumber(in);
      case BOOL -> readNumber(in) != 0;
      case STRING -> in.readString();
      case BYTES -> in.readBytes();
      case MESSAGE -> throw new IllegalStateException("a message is read by its schema");
    };
  }

  /** The next value of a kind that is a number or a flag. */
  long readNumber(WireReader in) throws WireException {
    return switch (this) {
      case FIXED64 -> in.readFixed64();
      case SINT64 -> unfold(in.readLongForm());
      default -> in.readLongForm();
    };
  }

  /** Writes what {@link #read} gives, unless it is the default. */
  void write(int tag, Object value, WireWriter out) {
    switch (this) {
      case UINT32 -> out.number(tag, Integer.toUnsignedLong((Integer) value));
      case UINT64 -> out.number(tag, (Long) value);
      case SINT64 -> out.number(tag, fold((Long) value));
      case BOOL -> out.number(tag, (Boolean) value ? 1 : 0);
      case FIXED64 -> out.fixed64(tag, (Long) value);
      case STRING -> out.string(tag, (String) value);
      case BYTES -> out.bytes(tag, (byte[]) value);
      case MESSAGE -> throw new IllegalStateException("a message is written by its schema");
    }
  }

  /** Numbers of small size become small ones without a sign. */
  static long fold(long number) {
    return (number << 1) ^ (number >> 63);
  }

  private static long unfold(long folded) {
    return (folded >>> 1) ^ -(folded & 1);
  }
}
