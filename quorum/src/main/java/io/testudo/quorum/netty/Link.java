package io.testudo.quorum.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.FastThreadLocal;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Frame;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A connection whose peer is known: messages in, messages out. What is sent while the loop is busy
 * with one round of events leaves in one frame with one MAC.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class Link extends SimpleChannelInboundHandler<ByteBuf> {
  /** So many bytes are worth a frame and a flush. */
  private static final int ENOUGH_BYTES = 256 << 10;

  private static final int SCRATCH_BYTES = 64 << 10;

  /** Where a frame is checked and read, on each loop: what comes of it are records of their own. */
  private static final FastThreadLocal<byte[]> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
          return new byte[SCRATCH_BYTES];
        }
      };

  /** Takes what comes, on the connection's loop. */
  interface Receiver {
    void received(Link link, Envelope envelope);

    void closed(Link link);

    /** Whether so many bytes more may wait for the peer to read; then {@link #paid} follows. */
    boolean owe(int bytes);

    void paid(long bytes);

    /** Something of our own failed, not of the peer's. */
    void failed(Link link, Throwable cause);
  }

  private final Channel channel;
  private final FrameGuard guard;
  private final FrameCodec codec;
  private final LinkLimits limits;
  private final LinkCounters counters;
  private final Receiver receiver;
  private final Deque<byte[]> pending = new ArrayDeque<>();

  /** Of what is pending, and of what was handed to the channel and is not on its way yet. */
  private long owed;

  private final Runnable flushing = Loops.guarded(this::flushPending, this::failed);
  private boolean flushScheduled;

  Link(
      Channel channel,
      FrameGuard guard,
      FrameCodec codec,
      LinkLimits limits,
      LinkCounters counters,
      Receiver receiver) {
    this.channel = channel;
    this.guard = guard;
    this.codec = codec;
    this.limits = limits;
    this.counters = counters;
    this.receiver = receiver;
  }

  /** Sends; from any thread. */
  void send(Envelope envelope) {
    Outgoing outgoing = new Outgoing(envelope);
    if (channel.eventLoop().inEventLoop()) {
      send(outgoing);
    } else {
      channel.eventLoop().execute(() -> send(outgoing));
    }
  }

  /** Sends what may go to others, too; on the connection's loop. */
  void send(Outgoing outgoing) {
    if (!channel.isActive()) {
      return;
    }
    if (pending.size() >= limits.pendingMessages()) {
      refuse(Refusals.UNREAD, "it does not read what it asked for");
      return;
    }
    byte[] bytes;
    try {
      bytes = outgoing.bytes(codec);
    } catch (IllegalArgumentException e) {
      // Too long, perhaps by what a peer gave us to repeat: the others must not suffer for it.
      counters.count(Refusals.UNSENDABLE, address(), String.valueOf(e.getMessage()));
      return;
    }
    if (owed + bytes.length > limits.pendingBytes() || !receiver.owe(bytes.length)) {
      counters.count(Refusals.UNREAD, address(), "it asks for more than it reads");
      return;
    }
    owed += bytes.length;
    pending.add(bytes);
    if (!flushScheduled) {
      flushScheduled = true;
      channel.eventLoop().execute(flushing);
    }
  }

  /** Sends a frame without messages, to show that this side lives. */
  void keepAlive() {
    if (pending.isEmpty() && channel.isWritable()) {
      counters.sent(1, 0, writeFrame(0, 0, channel.voidPromise()));
      channel.flush();
    }
  }

  private void flushPending() {
    flushScheduled = false;
    // A peer that does not read is not read from either, and its answers wait here.
    boolean any = false;
    while (!pending.isEmpty() && channel.isActive() && channel.isWritable()) {
      writeSome();
      any = true;
    }
    if (any) {
      channel.flush();
    }
  }

  /** As much as is worth a frame: not all, if there is much, for the channel keeps copies. */
  private void writeSome() {
    int messages = 0;
    int bytes = 0;
    for (byte[] next : pending) {
      if (bytes >= ENOUGH_BYTES || !codec.hasRoom(messages, bytes, next.length)) {
        break;
      }
      messages++;
      bytes += next.length;
    }
    int leaving = bytes;
    ChannelPromise promise = channel.newPromise();
    promise.addListener(done -> paid(leaving));
    counters.sent(1, messages, writeFrame(messages, bytes, promise));
  }

  private void paid(long bytes) {
    if (bytes > 0) {
      owed -= bytes;
      receiver.paid(bytes);
    }
  }

  private void dropPending() {
    long bytes = pending.stream().mapToLong(message -> message.length).sum();
    pending.clear();
    paid(bytes);
  }

  /** Writes the first of what is pending; gives the bytes that this takes on the wire. */
  private int writeFrame(int messages, int messageBytes, ChannelPromise promise) {
    int length = FrameCodec.HEADER_BYTES + messageBytes;
    int onWire = Integer.BYTES + length + guard.overhead();
    ByteBuf buffer = channel.alloc().ioBuffer(onWire, onWire);
    buffer.writeInt(length + guard.overhead()).writeByte(FrameCodec.VERSION);
    for (int i = 0; i < messages; i++) {
      buffer.writeBytes(pending.remove());
    }
    buffer.writeBytes(guard.seal(buffer.internalNioBuffer(Integer.BYTES, length)));
    channel.write(buffer, promise);
    return onWire;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
    try {
      int length = bytes.readableBytes() - guard.overhead();
      if (length < 0) {
        throw new ChannelException(
            ChannelException.Reason.MALFORMED, "a frame is shorter than its MAC");
      }
      byte[] frame = length <= SCRATCH_BYTES ? SCRATCH.get() : new byte[length];
      byte[] mac = new byte[guard.overhead()];
      bytes.readBytes(frame, 0, length).readBytes(mac);
      guard.open(ByteBuffer.wrap(frame, 0, length), mac);
      Frame decoded = codec.decode(frame, length);
      counters.received(1, decoded.envelopes().size(), (long) Integer.BYTES + length + mac.length);
      if (decoded.skipped() > 0) {
        counters.count("unknown-type", address(), "it speaks of more than this version knows");
      }
      for (Envelope envelope : decoded.envelopes()) {
        receiver.received(this, envelope);
      }
    } catch (ChannelException e) {
      refuse(Refusals.kind(e), String.valueOf(e.getMessage()));
    } catch (WireException e) {
      refuse(Refusals.kind(e), String.valueOf(e.getMessage()));
    }
  }

  /** Ends the connection because of what the peer did. */
  void refuse(String kind, String detail) {
    counters.count(kind, address(), detail);
    Refusals.close(channel, kind, detail);
  }

  void failed(Throwable cause) {
    receiver.failed(this, cause);
  }

  void close() {
    channel.close();
  }

  Channel channel() {
    return channel;
  }

  String address() {
    return Refusals.address(channel);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    boolean writable = channel.isWritable();
    channel.config().setAutoRead(writable);
    if (writable) {
      flushPending();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    dropPending();
    receiver.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      failed(cause);
    }
    refuse(Refusals.kind(cause), String.valueOf(cause.getMessage()));
  }
}
