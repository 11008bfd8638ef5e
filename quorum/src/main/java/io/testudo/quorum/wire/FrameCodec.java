package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.WireException.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames as bytes: a version, then messages, each with its type number, handle and length before
 * its protobuf bytes, so that a length is checked against its type before anything is parsed. See
 * docs/wire.md.
 *
 * <p>A message of an unknown type is passed over and counted: a newer peer may speak of more than
 * we know. Anything else that is not as it should be refuses the whole frame.
 */
public final class FrameCodec {
  /** The version that this build writes, and the only one it reads. */
  public static final int VERSION = 1;

  private final WireTypes types;
  private final WireLimits limits;

  public FrameCodec(WireTypes types, WireLimits limits) {
    this.types = types;
    this.limits = limits;
  }

  /** The bytes of a frame; one that is over a limit is our own error. */
  public byte[] encode(List<Envelope> envelopes) {
    checkArgument(
        envelopes.size() <= limits.messagesPerFrame(),
        "a frame of %s messages is above its maximum of %s",
        envelopes.size(),
        limits.messagesPerFrame());
    List<MessageLite> bodies = new ArrayList<>(envelopes.size());
    int size = 1;
    for (Envelope envelope : envelopes) {
      WireType<?> type = types.typeOf(envelope.message());
      MessageLite body = type.encode(envelope.message());
      bodies.add(body);
      size += headerBytes(type, envelope.handle(), body) + body.getSerializedSize();
    }
    checkArgument(
        size <= limits.frameBytes(),
        "a frame of %s bytes is above its maximum of %s",
        size,
        limits.frameBytes());
    byte[] frame = new byte[size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(frame);
      out.write((byte) VERSION);
      for (int i = 0; i < bodies.size(); i++) {
        Envelope envelope = envelopes.get(i);
        MessageLite body = bodies.get(i);
        out.writeUInt32NoTag(types.typeOf(envelope.message()).number());
        out.writeUInt64NoTag(envelope.handle());
        out.writeUInt32NoTag(body.getSerializedSize());
        body.writeTo(out);
      }
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new IllegalStateException("a frame did not fit into the size computed for it", e);
    }
    return frame;
  }

  private static int headerBytes(WireType<?> type, long handle, MessageLite body) {
    return CodedOutputStream.computeUInt32SizeNoTag(type.number())
        + CodedOutputStream.computeUInt64SizeNoTag(handle)
        + CodedOutputStream.computeUInt32SizeNoTag(body.getSerializedSize());
  }

  /** Reads a frame that anybody may have sent. */
  public Frame decode(byte[] bytes) throws WireException {
    if (bytes.length > limits.frameBytes()) {
      throw new WireException(
          Fault.OVERSIZE, bytes.length + " bytes, a frame has at most " + limits.frameBytes());
    }
    WireReader in = new WireReader(bytes);
    int version = in.readByte();
    if (version != VERSION) {
      throw new WireException(Fault.UNKNOWN_VERSION, "version " + version + ", not " + VERSION);
    }
    ImmutableList.Builder<Envelope> envelopes = ImmutableList.builder();
    int messages = 0;
    int skipped = 0;
    while (in.remaining() > 0) {
      if (++messages > limits.messagesPerFrame()) {
        throw new WireException(Fault.TOO_MANY, "more than " + limits.messagesPerFrame());
      }
      int number = in.readVarint(WireType.MAX_NUMBER, "the type number");
      long handle = in.readVarint();
      int length = in.readVarint(limits.frameBytes(), "the length");
      int start = in.position();
      in.skip(length);
      WireType<?> type = types.byNumber(number);
      if (type == null) {
        skipped++;
      } else if (type.decode(bytes, start, length) instanceof Message message) {
        envelopes.add(new Envelope(handle, message));
      } else {
        throw new WireException(Fault.MALFORMED, type.name() + " is not for the wire");
      }
    }
    return new Frame(envelopes.build(), skipped);
  }
}
