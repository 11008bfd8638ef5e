package io.testudo.quorum.wire;

import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.WireException.Fault;

/**
 * State records as bytes: a type number, then protobuf to the end; the journal keeps the length. An
 * unknown type is refused here: a server that passes over a part of its own memory would break what
 * it promised.
 */
public final class StateCodec {
  private final WireTypes types;
  private final WireWriter.Spare spare = new WireWriter.Spare();

  public StateCodec(WireTypes types) {
    this.types = types;
  }

  public byte[] encode(StateRecord record) {
    WireType<?> type = types.typeOf(record);
    WireWriter out = spare.take();
    type.write(record, out);
    out.varint(type.number());
    return spare.finish(out);
  }

  public StateRecord decode(byte[] bytes) throws WireException {
    WireReader in = new WireReader(bytes);
    int number = in.readVarint(WireType.MAX_NUMBER, "the type number");
    WireType<?> type = types.byNumber(number);
    if (type == null) {
      throw new WireException(
          Fault.UNKNOWN_TYPE, "a record of type " + number + " is of a newer version");
    }
    if (type.decode(in) instanceof StateRecord record) {
      return record;
    }
    throw new WireException(Fault.MALFORMED, type.name() + " is not for the disk");
  }
}
