package io.testudo.quorum.wire;

/** The kinds of protobuf values that our schemas use, and how their ends are found. */
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

  /** The next value of a kind that is a number or a flag. */
  long readNumber(WireReader in) throws WireException {
    return switch (this) {
      case FIXED64 -> in.readFixed64();
      case SINT64 -> unfold(in.readLongForm());
      default -> in.readLongForm();
    };
  }

  /** Numbers of small size become small ones without a sign. */
  static long fold(long number) {
    return (number << 1) ^ (number >> 63);
  }

  private static long unfold(long folded) {
    return (folded >>> 1) ^ -(folded & 1);
  }
}
