package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.HmacHandshake;
import io.testudo.quorum.channel.Progress;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireLimits;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The other end of a server's connection, byte by byte. */
final class RawPeer implements AutoCloseable {
  static final FrameCodec CODEC = new FrameCodec(PingTypes.ALL, WireLimits.AUTHENTICATED);

  private final Socket socket;

  RawPeer(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setTcpNoDelay(true);
  }

  /** One that comes from an address of its own. */
  RawPeer(InetSocketAddress address, InetAddress from) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort(), from, 0);
    socket.setTcpNoDelay(true);
  }

  /** Shows who it is, as a correct client does. */
  FrameGuard authenticate(ClientKeyring keys, ServerId server, long session)
      throws IOException, ChannelException {
    Handshake handshake = HmacHandshake.client(keys, server, session, new SecureRandom());
    sendFrame(handshake.begin());
    Progress progress = handshake.receive(readFrame());
    sendFrame(progress.reply());
    return Objects.requireNonNull(progress.guard());
  }

  /** A frame with one ping, with its code. */
  static byte[] sealedPing(FrameGuard guard, int servers) {
    byte[] frame = CODEC.encode(List.of(new Envelope(1, new Ping(7, Incarnations.none(servers)))));
    return sealed(guard, frame);
  }

  static byte[] sealed(FrameGuard guard, byte[] frame) {
    byte[] mac = guard.seal(ByteBuffer.wrap(frame));
    byte[] joined = Arrays.copyOf(frame, frame.length + mac.length);
    System.arraycopy(mac, 0, joined, frame.length, mac.length);
    return joined;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  void sendFrame(byte[] frame) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(frame.length);
    out.write(frame);
    out.flush();
  }

  byte[] readFrame() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return frame;
  }

  /** Waits for a frame with messages; those that only show life are passed over. */
  void awaitAnswer(FrameGuard guard) throws IOException, ChannelException {
    int length = 0;
    while (length <= 1) {
      byte[] joined = readFrame();
      length = joined.length - guard.overhead();
      guard.open(
          ByteBuffer.wrap(joined, 0, length), Arrays.copyOfRange(joined, length, joined.length));
    }
  }

  /** Waits until the other side has closed; whatever it says before is passed over. */
  void assertClosed() throws IOException {
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        // Not yet.
      }
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  /** Ends the connection by a reset, in the middle of whatever it is. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
