package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to one server: dials, dials again after a loss with a growing, jittered
 * delay, and passes messages. Where the server is, is looked up for each round of tries. What is
 * sent before the first connection waits for it, within a limit; what is sent while the server is
 * away is lost, and the protocols ask again.
 *
 * <p>If the server's address or the client's credentials are replaced, the connection goes on until
 * another one stands: then that is used, and the server ends the older one. Where a server does not
 * take the new credentials yet, those from before serve until it does.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class ServerDialer implements Link.Receiver {
  /** Messages that wait for the first connection. */
  static final int MAX_WAITING = 4_096;

  /** So many credentials from before are kept. */
  private static final int MAX_FORMER = 4;

  /** A server that does not take new credentials is tried so seldom at last. */
  private static final long RENEW_AGAIN_MILLIS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(ServerDialer.class);
  private static final Pattern NATIVE_CALL = Pattern.compile("^.* failed with error\\(-?\\d+\\): ");

  /** Hears what comes from a server, on the dialer's loop. */
  interface Receiver {
    void received(ServerId from, Envelope envelope);
  }

  private final ServerId server;
  private final EventLoop loop;
  private final Dialing dialing;
  private final AddressRound addresses;
  private final Receiver receiver;
  private final Deque<Outgoing> waiting = new ArrayDeque<>();
  private Endpoint endpoint;
  private ClientCredentials credentials;

  /**
   * Those from before, the newest first, until the server has taken the present ones. The last is
   * the one that it took last, as far as is known.
   */
  private final List<ClientCredentials> former = new ArrayList<>();

  /** Goes up when address or credentials are replaced. */
  private int edition;

  private @Nullable Try established;
  private @Nullable Try underWay;

  /** What became of the last connection. */
  private String trouble = "is not connected yet";

  /** Whether its loss was logged: a line for each loss, not for each try. */
  private boolean isLogged;

  private boolean firstTry = true;

  /** How many before the present credentials are to be tried next. */
  private int editionsBack;

  /** Whether it was logged that a server does not take what is new. */
  private boolean isRenewalLogged;

  private final long graceMillis;
  private final RedialDelay redialDelay = new RedialDelay();
  private RedialDelay renewDelay = new RedialDelay(RENEW_AGAIN_MILLIS);
  private @Nullable Runnable whenRenewed;
  private boolean closed;

  ServerDialer(
      ServerId server,
      Endpoint endpoint,
      HostResolver resolver,
      long session,
      EventLoop loop,
      ClientCredentials credentials,
      LinkLimits limits,
      FrameCodec codec,
      LinkCounters counters,
      Receiver receiver) {
    this.server = server;
    this.endpoint = endpoint;
    this.loop = loop;
    this.credentials = credentials;
    this.dialing = new Dialing(loop, server, session, limits, codec, counters);
    this.addresses = new AddressRound(loop, resolver);
    this.graceMillis = limits.handshakeMillis();
    this.receiver = receiver;
  }

  void start() {
    loop.execute(this::dial);
  }

  /** What a connection is to be from now on; {@link #renew} follows. On the dialer's loop. */
  void replace(Endpoint place, @Nullable ClientCredentials shown) {
    if (shown == null && place.equals(endpoint)) {
      return;
    }
    if (shown != null) {
      former.add(0, credentials);
      if (former.size() > MAX_FORMER) {
        former.remove(MAX_FORMER - 1); // Not the last, which is the one that was taken.
      }
      credentials = shown;
    }
    endpoint = place;
    edition++;
    editionsBack = 0;
    isRenewalLogged = false;
    renewDelay = new RedialDelay(RENEW_AGAIN_MILLIS);
  }

  /**
   * Connects as was {@linkplain #replace said last}. On the dialer's loop.
   *
   * @param then runs when a connection stands, or could not be made for now
   */
  void renew(Runnable then) {
    if (closed || !isOutdated()) {
      then.run();
      return;
    }
    tellRenewed(); // Whoever waited for an earlier edition.
    whenRenewed = then;
    if (underWay == null) {
      dial();
    } // Else that one ends, and another follows.
  }

  private void tellRenewed() {
    Runnable told = whenRenewed;
    whenRenewed = null;
    if (told != null) {
      told.run();
    }
  }

  private boolean isOutdated() {
    return established == null || established.edition != edition || established.isByFormer;
  }

  private void dial() {
    if (!closed && underWay == null && isOutdated()) {
      boolean isByFormer = established == null && editionsBack > 0;
      underWay = new Try(isByFormer ? former.get(editionsBack - 1) : null);
      addresses.begin(endpoint, underWay);
    }
  }

  private void dialAfter(RedialDelay delay, long livedNanos) {
    if (!closed) {
      long delayMillis = delay.nextMillis(livedNanos, ThreadLocalRandom.current());
      loop.schedule(this::dial, delayMillis, TimeUnit.MILLISECONDS);
    }
  }

  /** One try to connect, at all addresses in turn; and the connection that comes of it. */
  private final class Try implements AddressRound.Taker {
    private final int edition = ServerDialer.this.edition;
    private final boolean isByFormer;
    private final ClientCredentials shown;

    /** The connection before this one, which goes on until the server ends it. */
    private @Nullable Try before;

    private @Nullable Channel channel;
    private @Nullable Link link;
    private long sinceNanos;

    Try(@Nullable ClientCredentials instead) {
      this.isByFormer = instead != null;
      this.shown = instead == null ? credentials : instead;
    }

    @Override
    public void found(InetSocketAddress target) {
      if (closed) {
        return;
      }
      if (!shown.reaches(target)) {
        next("cannot be reached: " + target + " is beyond this machine, and nothing is proven");
        return;
      }
      ChannelFuture connecting = dialing.connect(shown, target, ServerDialer.this, this::stands);
      Channel dialled = connecting.channel();
      channel = dialled;
      dialled.closeFuture().addListener(over -> ended(connecting, dialled));
    }

    @Override
    public void unknown(String why) {
      if (!closed) {
        failed(this, why);
      }
    }

    private void stands(Link made) {
      link = made;
      sinceNanos = System.nanoTime();
      addresses.wasRight();
      ServerDialer.this.established(this);
    }

    private void ended(ChannelFuture connecting, Channel dialled) {
      String why = troubleOf(connecting, dialled);
      if (link == null) {
        next(why);
      } else {
        lost(this, why);
      }
    }

    private void next(String why) {
      InetSocketAddress other = addresses.following();
      if (other == null || closed) {
        failed(this, why);
      } else {
        found(other);
      }
    }

    private String troubleOf(ChannelFuture connecting, Channel dialled) {
      String refused = Refusals.reason(dialled);
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

    boolean isThere() {
      return link != null && channel != null && channel.isActive();
    }

    void endBefore() {
      Try ended = before;
      before = null;
      if (ended != null) {
        ended.close();
      }
    }

    void close() {
      if (channel != null) {
        channel.close();
      }
      endBefore();
    }
  }

  private void established(Try made) {
    underWay = null;
    firstTry = false;
    if (established != null) {
      established.endBefore();
      made.before = established; // The server ends it when it knows of the new one.
      loop.schedule(made::endBefore, graceMillis, TimeUnit.MILLISECONDS);
    }
    established = made;
    if (made.link != null) {
      waiting.forEach(made.link::send);
    }
    waiting.clear();
    if (isLogged) {
      isLogged = false;
      LOG.info("{} at {} is back", server, endpoint);
    }
    editionsBack = 0;
    if (made.edition == edition && !made.isByFormer) {
      former.clear();
      tellRenewed();
    } else {
      int taken = former.indexOf(made.shown);
      if (taken >= 0) {
        former.subList(taken + 1, former.size()).clear();
      }
      if (!dialAsSaidLast(made)) {
        dialAfter(renewDelay, 0);
      }
    }
  }

  /** Somebody waits for a connection as was said after this try had begun: it is made at once. */
  private boolean dialAsSaidLast(Try earlier) {
    boolean isAwaited = whenRenewed != null && earlier.edition != edition;
    if (isAwaited) {
      dial();
    }
    return isAwaited;
  }

  /** Nothing came of a try. */
  private void failed(Try tried, String why) {
    if (underWay != tried) {
      return;
    }
    underWay = null;
    if (dialAsSaidLast(tried)) {
      return;
    }
    if (established != null) {
      if (!isRenewalLogged) {
        isRenewalLogged = true;
        LOG.warn(
            "{} is not connected anew at {} with what was read again: it {}. The present connection"
                + " goes on",
            server,
            endpoint,
            why);
      }
      dialAfter(renewDelay, 0);
      tellRenewed();
      return;
    }
    editionsBack = (editionsBack + 1) % (former.size() + 1);
    away(why, 0);
    tellRenewed();
  }

  /** A connection has ended. */
  private void lost(Try gone, String why) {
    if (established != gone) {
      if (established != null && established.before == gone) {
        established.before = null;
      }
      return;
    }
    Try before = gone.before;
    gone.before = null; // What ends those that were replaced must not find it any more.
    if (before != null && before.isThere()) {
      established = before; // The server did not want the new one, after all.
      dialAfter(renewDelay, 0);
      return;
    }
    established = null;
    away(why, System.nanoTime() - gone.sinceNanos);
  }

  private void away(String why, long livedNanos) {
    trouble = why;
    if (!closed && !isLogged) {
      isLogged = true;
      LOG.info("{} at {} {}", server, endpoint, why);
    }
    firstTry = false;
    waiting.clear();
    dialAfter(redialDelay, livedNanos);
  }

  /** Sends, or loses; on the dialer's loop. */
  void send(Outgoing outgoing) {
    Try present = established;
    if (present != null && present.link != null) {
      present.link.send(outgoing);
    } else if (firstTry && waiting.size() < MAX_WAITING) {
      waiting.add(outgoing);
    }
  }

  boolean isConnected() {
    return established != null;
  }

  /** Whether the connection is as it was said last that it is to be. */
  boolean isRenewed() {
    return !isOutdated();
  }

  Endpoint endpoint() {
    return endpoint;
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
    if (underWay != null) {
      underWay.close();
    }
    if (established != null) {
      established.close();
    }
    tellRenewed();
  }
}
