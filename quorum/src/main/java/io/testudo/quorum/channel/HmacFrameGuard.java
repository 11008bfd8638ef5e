package io.testudo.quorum.channel;

import io.testudo.crypto.Hmac;
import io.testudo.quorum.channel.ChannelException.Reason;
import java.nio.ByteBuffer;

/** HMAC-SHA256 over the number of the frame and the frame, under one key for each direction. */
final class HmacFrameGuard implements FrameGuard {
  /** How many frames back a repeated frame is told from an altered one. */
  static final int REPLAYS_TOLD_APART = 64;

  private final Hmac outgoing;
  private final Hmac incoming;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private long sent;
  private long received;
  private boolean broken;

  HmacFrameGuard(Hmac outgoing, Hmac incoming) {
    this.outgoing = outgoing;
    this.incoming = incoming;
  }

  @Override
  public int overhead() {
    return Hmac.LENGTH;
  }

  @Override
  public byte[] seal(ByteBuffer... frame) {
    numbered(sent);
    sent++;
    if (frame.length == 1) {
      return outgoing.mac(number, frame[0]);
    }
    ByteBuffer[] ranges = new ByteBuffer[frame.length + 1];
    ranges[0] = number;
    System.arraycopy(frame, 0, ranges, 1, frame.length);
    return outgoing.mac(ranges);
  }

  @Override
  public void open(ByteBuffer frame, byte[] mac) throws ChannelException {
    if (broken || !fits(received, frame, mac)) {
      throw refused(frame, mac);
    }
    received++;
  }

  private boolean fits(long place, ByteBuffer frame, byte[] mac) {
    numbered(place);
    return incoming.verify(mac, number, frame);
  }

  private void numbered(long place) {
    number.putLong(0, place);
  }

  private ChannelException refused(ByteBuffer frame, byte[] mac) {
    // Only for the first: a peer that goes on gets no more work out of us than one code a frame.
    boolean first = !broken;
    broken = true;
    if (first && wasReceived(frame, mac)) {
      return new ChannelException(
          Reason.REPLAY, "A frame was received a second time; close the connection.");
    }
    return new ChannelException(
        Reason.BAD_MAC, "The code of a frame does not fit; close the connection.");
  }

  private boolean wasReceived(ByteBuffer frame, byte[] mac) {
    long oldest = Math.max(0, received - REPLAYS_TOLD_APART);
    for (long place = received - 1; place >= oldest; place--) {
      if (fits(place, frame, mac)) {
        return true;
      }
    }
    return false;
  }
}
