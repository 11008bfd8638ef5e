package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.WireException.Fault;
import java.nio.ByteBuffer;
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

  /** What stands before the messages: the version. */
  public static final int HEADER_BYTES = 1;

  private final WireTypes types;
  private final WireLimits limits;
  private final WireWriter.Spare spare = new WireWriter.Spare();

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
    if (envelopes.size() == 1) {
      WireWriter out = write(envelopes.get(0));
      out.varint(VERSION); // In front: it is written last.
      return List.of(spare.finish(out));
    }
    List<byte[]> frames = new ArrayList<>(1);
    List<byte[]> messages = new ArrayList<>(envelopes.size());
    int bytes = 0;
    for (Envelope envelope : envelopes) {
      byte[] message = encodeMessage(envelope);
      if (!hasRoom(messages.size(), bytes, message.length)) {
        frames.add(join(messages, bytes));
        messages.clear();
        bytes = 0;
      }
      messages.add(message);
      bytes += message.length;
    }
    frames.add(join(messages, bytes));
    return frames;
  }

  /** Whether a frame with so many messages, of so many bytes, can take one more. */
  public boolean hasRoom(int messages, int bytes, int more) {
    return messages < limits.messagesPerFrame()
        && HEADER_BYTES + bytes + more <= limits.frameBytes();
  }

  private static byte[] join(List<byte[]> messages, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes).put((byte) VERSION);
    messages.forEach(frame::put);
    return frame.array();
  }

  /** The bytes of a message inside a frame: number, handle and length before its own. */
  public byte[] encodeMessage(Envelope envelope) {
    return spare.finish(write(envelope));
  }

  private WireWriter write(Envelope envelope) {
    WireType<?> type = types.typeOf(envelope.message());
    WireWriter out = spare.take();
    type.write(envelope.message(), out);
    out.varint(out.length());
    out.varint(envelope.handle());
    out.varint(type.number());
    checkArgument(
        hasRoom(0, 0, out.length()),
        "a %s of %s bytes does not fit into a frame",
        type.name(),
        out.length());
    return out;
  }

  /** Reads a frame that anybody may have sent. */
  public Frame decode(byte[] bytes) throws WireException {
    return decode(bytes, bytes.length);
  }

  /** As above, of the first bytes of these; nothing refers to them afterwards. */
  public Frame decode(byte[] bytes, int frameBytes) throws WireException {
    if (frameBytes > limits.frameBytes()) {
      throw new WireException(
          Fault.OVERSIZE, frameBytes + " bytes, a frame has at most " + limits.frameBytes());
    }
    WireReader in = new WireReader(bytes, 0, frameBytes);
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
      int outer = in.enter(in.readVarint(limits.frameBytes(), "the length"));
      WireType<?> type = types.byNumber(number);
      if (type == null) {
        skipped++;
      } else if (type.decode(in) instanceof Message message) {
        envelopes.add(new Envelope(handle, message));
      } else {
        throw new WireException(Fault.MALFORMED, type.name() + " is not for the wire");
      }
      in.leave(outer);
    }
    return new Frame(envelopes.build(), skipped);
  }
}
