package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads one message of a handshake strictly: to the last byte and not beyond it. */
final class MessageReader {
  /** The version that this build speaks. */
  static final byte VERSION = 1;

  private final ByteBuffer bytes;

  /** Checks the length, the kind and the version. */
  MessageReader(byte[] message, MessageKind expected) throws ChannelException {
    if (message.length > Handshake.MAX_MESSAGE_BYTES) {
      throw new ChannelException(
          Reason.OVERSIZE,
          "A handshake message has %s bytes, at most %s are allowed; see who connects here."
              .formatted(message.length, Handshake.MAX_MESSAGE_BYTES));
    }
    bytes = ByteBuffer.wrap(message);
    byte kind = oneByte();
    if (kind != expected.number()) {
      throw wrongKind(kind);
    }
    byte version = oneByte();
    if (version != VERSION) {
      throw new ChannelException(
          Reason.BAD_VERSION,
          "The peer speaks version %s of the handshake, this build version %s; use one release."
              .formatted(Byte.toUnsignedInt(version), VERSION));
    }
  }

  private static ChannelException wrongKind(byte kind) {
    return MessageKind.isKnown(kind)
        ? new ChannelException(
            Reason.WRONG_MODE,
            "The peer sent a handshake message of another kind; give both the same security mode.")
        : malformed();
  }

  byte oneByte() throws ChannelException {
    require(1);
    return bytes.get();
  }

  int fourBytes() throws ChannelException {
    require(Integer.BYTES);
    return bytes.getInt();
  }

  long eightBytes() throws ChannelException {
    require(Long.BYTES);
    return bytes.getLong();
  }

  byte[] take(int length) throws ChannelException {
    require(length);
    byte[] taken = new byte[length];
    bytes.get(taken);
    return taken;
  }

  /** Text behind its length of one byte. Each byte is a character of ASCII. */
  String text() throws ChannelException {
    byte[] text = take(Byte.toUnsignedInt(oneByte()));
    for (byte character : text) {
      if (character < 0) {
        throw malformed();
      }
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  ServerId server() throws ChannelException {
    int index = Byte.toUnsignedInt(oneByte());
    if (index >= ServerId.MAX_SERVERS) {
      throw malformed();
    }
    return new ServerId(index);
  }

  void requireEnd() throws ChannelException {
    if (bytes.hasRemaining()) {
      throw malformed();
    }
  }

  private void require(int length) throws ChannelException {
    if (bytes.remaining() < length) {
      throw malformed();
    }
  }

  static ChannelException malformed() {
    return new ChannelException(
        Reason.MALFORMED, "The bytes are no handshake message; see who connects here.");
  }
}
