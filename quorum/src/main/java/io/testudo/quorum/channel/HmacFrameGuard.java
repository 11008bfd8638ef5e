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

  /** The beginnings of the last codes that fitted. */
  private final long[] lastCodes = new long[REPLAYS_TOLD_APART];

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

  /** One code is computed for a frame, good or bad: a frame may be long. */
  @Override
  public void open(ByteBuffer frame, byte[] mac) throws ChannelException {
    numbered(received);
    if (broken || !incoming.verify(mac, number, frame)) {
      throw refused(mac);
    }
    lastCodes[(int) (received % REPLAYS_TOLD_APART)] = beginning(mac);
    received++;
  }

  private void numbered(long place) {
    number.putLong(0, place);
  }

  private static long beginning(byte[] mac) {
    return ByteBuffer.wrap(mac).getLong();
  }

  /** A frame that comes again brings its code again; that is told for those who read logs. */
  private ChannelException refused(byte[] mac) {
    boolean first = !broken;
    broken = true;
    if (first && mac.length == Hmac.LENGTH && wasReceived(beginning(mac))) {
      return new ChannelException(
          Reason.REPLAY, "A frame was received a second time; close the connection.");
    }
    return new ChannelException(
        Reason.BAD_MAC, "The code of a frame does not fit; close the connection.");
  }

  private boolean wasReceived(long code) {
    long known = Math.min(received, REPLAYS_TOLD_APART);
    for (int i = 0; i < known; i++) {
      if (lastCodes[i] == code) {
        return true;
      }
    }
    return false;
  }
}
