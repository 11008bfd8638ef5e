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

  /** The bytes of one frame; what does not fit into one is our own error. */
  public byte[] encode(List<Envelope> envelopes) {
    List<byte[]> frames = pack(envelopes);
    checkArgument(frames.size() == 1, "%s messages need more than one frame", envelopes.size());
    return frames.get(0);
  }

  /** The bytes of as few frames as the limits allow, at least one, with all messages in order. */
  public List<byte[]> pack(List<Envelope> envelopes) {
    List<byte[]> frames = new ArrayList<>(1);
    List<MessageLite> bodies = new ArrayList<>(envelopes.size());
    int from = 0;
    int size = 1;
    for (int i = 0; i < envelopes.size(); i++) {
      Envelope envelope = envelopes.get(i);
      WireType<?> type = types.typeOf(envelope.message());
      MessageLite body = type.encode(envelope.message());
      int bytes = headerBytes(type, envelope.handle(), body) + body.getSerializedSize();
      checkArgument(
          1 + bytes <= limits.frameBytes(),
          "a %s of %s bytes does not fit into a frame",
          type.name(),
          bytes);
      if (i - from == limits.messagesPerFrame() || size + bytes > limits.frameBytes()) {
        frames.add(write(envelopes.subList(from, i), bodies, size));
        bodies.clear();
        from = i;
        size = 1;
      }
      bodies.add(body);
      size += bytes;
    }
    frames.add(write(envelopes.subList(from, envelopes.size()), bodies, size));
    return frames;
  }

  private byte[] write(List<Envelope> envelopes, List<MessageLite> bodies, int size) {
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
      if (number == 0) {
        throw new WireException(Fault.MALFORMED, "no type has the number 0");
      }
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
