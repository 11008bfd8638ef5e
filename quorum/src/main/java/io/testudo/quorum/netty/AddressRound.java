package io.testudo.quorum.netty;

import com.google.common.net.InetAddresses;
import io.netty.channel.EventLoop;
import io.testudo.quorum.cluster.Endpoint;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one host, looked up anew for each round and tried in turn; first the one that
 * was right the last time, if the host still has it. All on one loop, but for the looking up.
 */
final class AddressRound {
  /** So many of a host are tried. */
  static final int MAX_ADDRESSES = 16;

  private static final GrowingPool LOOKUPS = new GrowingPool("testudo-lookup");

  private final EventLoop loop;
  private final HostResolver resolver;
  private final Deque<InetSocketAddress> untried = new ArrayDeque<>();
  private @Nullable InetSocketAddress given;
  private @Nullable InetSocketAddress lastRight;

  /** Hears where a host is, on the loop. */
  interface Taker {
    void found(InetSocketAddress first);

    void unknown(String why);
  }

  AddressRound(EventLoop loop, HostResolver resolver) {
    this.loop = loop;
    this.resolver = resolver;
  }

  /** Looks up where a host is; elsewhere, for that may take long, and the loop serves others. */
  void begin(Endpoint endpoint, Taker taker) {
    untried.clear();
    if (InetAddresses.isInetAddress(endpoint.host())) {
      taker.found(new InetSocketAddress(InetAddresses.forString(endpoint.host()), endpoint.port()));
      return;
    }
    LOOKUPS.execute(
        () -> {
          try {
            List<InetSocketAddress> found = resolver.resolve(endpoint.host(), endpoint.port());
            tell(() -> took(endpoint, found, taker));
          } catch (UnknownHostException | RuntimeException e) {
            tell(() -> taker.unknown(nobodyKnows(endpoint)));
          }
        });
  }

  /** Runs what may block. */
  static void elsewhere(Runnable task) {
    LOOKUPS.execute(task);
  }

  private void tell(Runnable task) {
    boolean unused = ClientMachine.onLoop(loop, task);
  }

  private static String nobodyKnows(Endpoint endpoint) {
    return "cannot be reached: nobody knows the host '" + endpoint.host() + "'";
  }

  private void took(Endpoint endpoint, List<InetSocketAddress> found, Taker taker) {
    Set<InetSocketAddress> order = new LinkedHashSet<>();
    if (lastRight != null && found.contains(lastRight)) {
      order.add(lastRight);
    }
    found.stream().filter(address -> !address.isUnresolved()).forEach(order::add);
    order.stream().limit(MAX_ADDRESSES).forEach(untried::add);
    InetSocketAddress first = following();
    if (first == null) {
      taker.unknown(nobodyKnows(endpoint));
    } else {
      taker.found(first);
    }
  }

  /** The next address of this round; null if all were tried. */
  @Nullable InetSocketAddress following() {
    given = untried.poll();
    return given;
  }

  /** Whoever is sought is at the address that was given last. */
  void wasRight() {
    lastRight = given;
  }
}
