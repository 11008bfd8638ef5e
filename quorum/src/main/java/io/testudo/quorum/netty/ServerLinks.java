package io.testudo.quorum.netty;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.Multiset;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.channel.PeerClient;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Transport;
import io.testudo.quorum.wire.Envelope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The connections of a server: who is there, how many from where, and the way back to each. */
final class ServerLinks implements Transport<ClientId, Message> {
  private final Map<PeerClient, Link> links = new ConcurrentHashMap<>();
  private final Multiset<String> byAddress = ConcurrentHashMultiset.create();
  private final Multiset<String> byPrincipal = ConcurrentHashMultiset.create();
  private final AtomicInteger all = new AtomicInteger();
  private volatile LinkLimits limits;

  ServerLinks(LinkLimits limits) {
    this.limits = limits;
  }

  /** Takes a new connection in, unless there are too many. Each true needs a {@link #left}. */
  boolean arrived(String address) {
    boolean tooManyInAll = all.incrementAndGet() > limits.connections();
    boolean tooManyFromThere = byAddress.add(address, 1) >= limits.connectionsPerAddress();
    boolean tooMany = tooManyInAll || tooManyFromThere;
    if (tooMany) {
      left(address);
    }
    return !tooMany;
  }

  void left(String address) {
    all.decrementAndGet();
    byAddress.remove(address, 1);
  }

  /** A peer has shown who it is; an older connection of the same session is replaced. */
  boolean established(PeerClient peer, Link link) {
    if (byPrincipal.add(peer.principal(), 1) >= limits.connectionsPerPrincipal()) {
      byPrincipal.remove(peer.principal(), 1);
      return false;
    }
    Link older = links.put(peer, link);
    if (older != null) {
      older.close();
    }
    return true;
  }

  void closed(PeerClient peer, Link link) {
    byPrincipal.remove(peer.principal(), 1);
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

  int size() {
    return links.size();
  }

  @Override
  public void send(ClientId to, Message message) {
    Link link = links.get(new PeerClient(to.principal(), to.session()));
    if (link != null) {
      link.send(new Envelope(to.handle(), message));
    }
  }

  /** Links gather what is sent and flush by themselves at the end of the loop's round. */
  @Override
  public void flush() {}
}
