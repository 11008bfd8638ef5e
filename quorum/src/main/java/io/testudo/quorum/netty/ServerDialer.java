package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to one server: dials, dials again after a loss with a growing, jittered
 * delay, and passes messages. What is sent before the first connection waits for it, within a
 * limit; what is sent while the server is away is lost, and the protocols ask again.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class ServerDialer implements Link.Receiver {
  private static final int MAX_WAITING = 4_096;
  private static final Logger LOG = LoggerFactory.getLogger(ServerDialer.class);
  private static final Pattern NATIVE_CALL = Pattern.compile("^.* failed with error\\(-?\\d+\\): ");
  private static final GrowingPool LOOKUPS = new GrowingPool("testudo-lookup");

  /** Hears what comes from a server, on the dialer's loop. */
  interface Receiver {
    void received(ServerId from, Envelope envelope);
  }

  private final ServerId server;
  private final InetSocketAddress address;
  private final EventLoop loop;
  private final Dialing dialing;
  private final Receiver receiver;
  private final Deque<Outgoing> waiting = new ArrayDeque<>();
  private @Nullable Link link;

  /** The last connection that was tried, whether it came about or not. */
  private @Nullable Channel dialled;

  /** What became of the last connection. */
  private String trouble = "is not connected yet";

  /** Whether its loss was logged: a line for each loss, not for each try. */
  private boolean isLogged;

  private boolean firstTry = true;
  private final RedialDelay redialDelay = new RedialDelay();
  private long establishedNanos;
  private boolean closed;

  ServerDialer(
      ServerId server,
      InetSocketAddress address,
      long session,
      EventLoop loop,
      ClientCredentials credentials,
      LinkLimits limits,
      FrameCodec codec,
      LinkCounters counters,
      Receiver receiver) {
    this.server = server;
    this.address = address;
    this.loop = loop;
    this.dialing = new Dialing(loop, credentials, server, session, limits, codec, counters);
    this.receiver = receiver;
  }

  void start() {
    loop.execute(this::dial);
  }

  /** Names are looked up elsewhere: that may take long, and the loop serves others, too. */
  private void dial() {
    if (!closed && address.isUnresolved()) {
      LOOKUPS.execute(
          () -> {
            InetSocketAddress found =
                new InetSocketAddress(address.getHostString(), address.getPort());
            ClientMachine.onLoop(loop, () -> connect(found));
          });
    } else {
      connect(address);
    }
  }

  private void connect(InetSocketAddress target) {
    if (closed) {
      return;
    }
    if (target.isUnresolved()) {
      lost("cannot be reached: nobody knows the host '" + target.getHostString() + "'");
      return;
    }
    ChannelFuture connecting = dialing.connect(target, this, this::established);
    Channel channel = connecting.channel();
    dialled = channel;
    channel.closeFuture().addListener(ended -> lost(troubleOf(connecting, channel)));
  }

  private String troubleOf(ChannelFuture connecting, Channel channel) {
    String refused = Refusals.reason(channel);
    if (connecting.cause() != null) {
      String cause = String.valueOf(connecting.cause().getMessage());
      return "cannot be reached: " + NATIVE_CALL.matcher(cause).replaceFirst("");
    } else if (refused != null) {
      return "was left (" + refused + ")";
    } else if (link == null) {
      return "ended the connection before it had shown who it is;"
          + " see that both ends have the same security and the right keys";
    }
    return "ended the connection";
  }

  private void established(Link made) {
    link = made;
    firstTry = false;
    establishedNanos = System.nanoTime();
    waiting.forEach(made::send);
    waiting.clear();
    if (isLogged) {
      isLogged = false;
      LOG.info("{} at {} is back", server, address);
    }
  }

  /** The connection ended, or never came about. */
  private void lost(String why) {
    trouble = why;
    if (!closed && !isLogged) {
      isLogged = true;
      LOG.info("{} at {} {}", server, address, why);
    }
    long livedNanos = link == null ? 0 : System.nanoTime() - establishedNanos;
    link = null;
    firstTry = false;
    waiting.clear();
    if (!closed) {
      long delayMillis = redialDelay.nextMillis(livedNanos, ThreadLocalRandom.current());
      loop.schedule(this::dial, delayMillis, TimeUnit.MILLISECONDS);
    }
  }

  /** Sends, or loses; on the dialer's loop. */
  void send(Outgoing outgoing) {
    Link present = link;
    if (present != null) {
      present.send(outgoing);
    } else if (firstTry && waiting.size() < MAX_WAITING) {
      waiting.add(outgoing);
    }
  }

  boolean isConnected() {
    return link != null;
  }

  /** How it is with the server, in words that follow its name. */
  String state() {
    return isConnected() ? NettyClient.CONNECTED + " and did not answer in time" : trouble;
  }

  @Override
  public void received(Link from, Envelope envelope) {
    receiver.received(server, envelope);
  }

  @Override
  public void closed(Link ended) {}

  /** A client bounds what waits for each server, and that is all it has. */
  @Override
  public boolean owe(int bytes) {
    return true;
  }

  @Override
  public void paid(long bytes) {}

  @Override
  public void failed(Link failed, Throwable cause) {
    failed.refuse(Refusals.kind(cause), String.valueOf(cause));
  }

  /** On the dialer's loop. */
  void close() {
    closed = true;
    if (dialled != null) {
      dialled.close();
    }
  }
}
