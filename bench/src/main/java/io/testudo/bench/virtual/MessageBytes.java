package io.testudo.bench.virtual;

import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireTypes;
import java.util.function.ToLongFunction;

/**
 * How many bytes messages have inside of frames: number, handle and length before their own. What a
 * frame adds, which many of them may share, is left out.
 */
public final class MessageBytes implements ToLongFunction<Message> {
  private final FrameCodec codec;

  public MessageBytes(WireTypes types) {
    this.codec = new FrameCodec(types, WireLimits.AUTHENTICATED);
  }

  @Override
  public long applyAsLong(Message message) {
    return codec.encodeMessage(new Envelope(0, message)).length;
  }
}
