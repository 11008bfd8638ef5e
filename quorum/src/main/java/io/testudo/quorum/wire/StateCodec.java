package io.testudo.quorum.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.WireException.Fault;
import java.io.IOException;

/**
 * State records as bytes: a type number, then protobuf to the end; the journal keeps the length. An
 * unknown type is refused here: a server that passes over a part of its own memory would break what
 * it promised.
 */
public final class StateCodec {
  private final WireTypes types;

  public StateCodec(WireTypes types) {
    this.types = types;
  }

  public byte[] encode(StateRecord record) {
    WireType<?> type = types.typeOf(record);
    MessageLite body = type.encode(record);
    byte[] bytes =
        new byte
            [CodedOutputStream.computeUInt32SizeNoTag(type.number()) + body.getSerializedSize()];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeUInt32NoTag(type.number());
      body.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new IllegalStateException("a record did not fit into the size computed for it", e);
    }
    return bytes;
  }

  public StateRecord decode(byte[] bytes) throws WireException {
    WireReader in = new WireReader(bytes);
    int number = in.readVarint(WireType.MAX_NUMBER, "the type number");
    WireType<?> type = types.byNumber(number);
    if (type == null) {
      throw new WireException(
          Fault.UNKNOWN_TYPE, "a record of type " + number + " is of a newer version");
    }
    if (type.decode(bytes, in.position(), in.remaining()) instanceof StateRecord record) {
      return record;
    }
    throw new WireException(Fault.MALFORMED, type.name() + " is not for the disk");
  }
}
