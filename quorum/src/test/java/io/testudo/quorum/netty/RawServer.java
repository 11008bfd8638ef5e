package io.testudo.quorum.netty;

import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.HmacHandshake;
import io.testudo.quorum.channel.Progress;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.WireException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of four with a key, whose connections end badly, each after one deed. */
final class RawServer implements AutoCloseable {
  private static final int SERVERS = 4;

  /** What it does with each connection before it resets it. */
  enum Deed {
    NOTHING,
    HANDSHAKE,
    HALF_A_REPLY
  }

  private final ServerKeyring keys;
  private final Deed deed;
  private final ServerSocket listening;
  private final AtomicInteger visits = new AtomicInteger();

  RawServer(ServerKeyring keys, Deed deed) throws IOException {
    this.keys = keys;
    this.deed = deed;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** How often it has done its deed. */
  int visits() {
    return visits.get();
  }

  private void serve() {
    while (!listening.isClosed()) {
      try (Socket socket = listening.accept()) {
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 0); // Closing resets.
        receive(socket);
        visits.incrementAndGet();
      } catch (IOException | ChannelException e) {
        // The other end was faster, or this one is closed; neither is a visit.
      }
    }
  }

  private void receive(Socket socket) throws IOException, ChannelException {
    if (deed == Deed.NOTHING) {
      return;
    }
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    FrameGuard guard = authenticate(in, out);
    if (deed == Deed.HALF_A_REPLY) {
      byte[] reply = reply(guard, in);
      out.writeInt(reply.length);
      out.write(reply, 0, reply.length / 2);
      out.flush();
    }
  }

  private FrameGuard authenticate(DataInputStream in, DataOutputStream out)
      throws IOException, ChannelException {
    Handshake handshake = HmacHandshake.server(keys, new SecureRandom());
    while (true) {
      Progress progress = handshake.receive(read(in));
      if (progress.reply().length > 0) {
        out.writeInt(progress.reply().length);
        out.write(progress.reply());
        out.flush();
      }
      if (progress.guard() != null) {
        return progress.guard();
      }
    }
  }

  /** What a correct server would answer to the first ping. */
  private byte[] reply(FrameGuard guard, DataInputStream in) throws IOException, ChannelException {
    while (true) {
      byte[] joined = read(in);
      int length = joined.length - guard.overhead();
      byte[] frame = Arrays.copyOf(joined, length);
      guard.open(ByteBuffer.wrap(frame), Arrays.copyOfRange(joined, length, joined.length));
      for (Envelope envelope : decode(frame)) {
        if (envelope.message() instanceof Ping ping) {
          Pong pong = new Pong(ping.nonce(), keys.server(), 1, Incarnations.none(SERVERS));
          return RawPeer.sealed(
              guard, RawPeer.CODEC.encode(List.of(new Envelope(envelope.handle(), pong))));
        }
      }
    }
  }

  private static List<Envelope> decode(byte[] frame) throws IOException {
    try {
      return RawPeer.CODEC.decode(frame).envelopes();
    } catch (WireException e) {
      throw new IOException(e);
    }
  }

  private static byte[] read(DataInputStream in) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return frame;
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
