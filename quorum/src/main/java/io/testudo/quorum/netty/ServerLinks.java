package io.testudo.quorum.netty;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.Multiset;
import io.netty.channel.Channel;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.channel.PeerClient;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.Envelope;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server: who is there, how many from where, and the way back to each. Those
 * that have not shown who they are, strangers, have a budget of their own: where it is used up, the
 * oldest has to go, so that a newcomer, who may be a member, can always show it. Members count by
 * their principal, wherever they come from.
 */
final class ServerLinks implements Transport<ClientId, Message> {
  private final Map<PeerClient, Link> links = new ConcurrentHashMap<>();
  private final Multiset<String> byPrincipal = ConcurrentHashMultiset.create();
  private final AtomicInteger members = new AtomicInteger();
  private final Map<Channel, String> strangers = new LinkedHashMap<>();
  private final Map<String, Set<Channel>> strangersByAddress = new HashMap<>();
  private volatile LinkLimits limits;

  ServerLinks(LinkLimits limits) {
    this.limits = limits;
  }

  /** Takes a new connection in; gives the one that has to go for it, if any. */
  synchronized @Nullable Channel arrived(Channel channel, String address) {
    Set<Channel> fromThere =
        strangersByAddress.computeIfAbsent(address, any -> new LinkedHashSet<>());
    Channel oldest = null;
    if (fromThere.size() >= limits.connectionsPerAddress()) {
      oldest = fromThere.iterator().next();
    } else if (strangers.size() >= limits.connections()) {
      oldest = strangers.keySet().iterator().next();
    }
    strangers.put(channel, address);
    fromThere.add(channel);
    if (oldest != null) {
      left(oldest);
    }
    return oldest;
  }

  /** It is gone, or no stranger any more. */
  synchronized void left(Channel channel) {
    String address = strangers.remove(channel);
    Set<Channel> fromThere = address == null ? null : strangersByAddress.get(address);
    if (address != null && fromThere != null) {
      fromThere.remove(channel);
      if (fromThere.isEmpty()) {
        strangersByAddress.remove(address);
      }
    }
  }

  /** A peer has shown who it is; an older connection of the same session is replaced. */
  boolean established(PeerClient peer, Link link) {
    left(link.channel());
    int replaced = links.containsKey(peer) ? 1 : 0; // Who is at its limit can still connect anew.
    if (members.incrementAndGet() - replaced > limits.connections()
        || byPrincipal.count(peer.principal()) - replaced >= limits.connectionsPerPrincipal()) {
      members.decrementAndGet();
      return false;
    }
    byPrincipal.add(peer.principal());
    Link older = links.put(peer, link);
    if (older != null) {
      older.close();
    }
    return true;
  }

  void closed(PeerClient peer, Link link) {
    byPrincipal.remove(peer.principal(), 1);
    members.decrementAndGet();
    links.remove(peer, link);
  }

  void replaceLimits(LinkLimits other) {
    limits = other;
  }

  /** Ends the connections of all principals but these. */
  void endAllBut(Predicate<String> principals) {
    links.forEach(
        (peer, link) -> {
          if (!principals.test(peer.principal())) {
            link.refuse(Refusals.UNKNOWN_PRINCIPAL, "the cluster knows it no longer");
          }
        });
  }

  /** Ends those over which nobody has shown who it is by what counts now. */
  void endUntrusted(Predicate<Link> trusted) {
    links.forEach(
        (peer, link) -> {
          if (!trusted.test(link)) {
            link.refuse(Refusals.UNTRUSTED, "no authority vouches for its certificate any more");
          }
        });
  }

  int size() {
    return links.size();
  }

  @Override
  public void send(ClientId to, Message message) {
    boolean unused = sendIfThere(to, message);
  }

  /** The certificate that a client has shown; null if it is gone, or has shown none. */
  @Nullable X509Certificate shownBy(ClientId client) {
    Link link = links.get(new PeerClient(client.principal(), client.session()));
    return link == null ? null : TlsContexts.shown(link.channel());
  }

  /** False if there is no connection. */
  boolean sendIfThere(ClientId to, Message message) {
    Link link = links.get(new PeerClient(to.principal(), to.session()));
    if (link != null) {
      link.send(new Envelope(to.handle(), message));
    }
    return link != null;
  }

  /** Links gather what is sent and flush by themselves at the end of the loop's round. */
  @Override
  public void flush() {}
}
