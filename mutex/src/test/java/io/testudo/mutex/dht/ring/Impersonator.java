package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.mutex.dht.zone.ZoneClaim;
import io.testudo.mutex.dht.zone.ZoneRequest;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A member that answers each request in the name of every member it knows, with their genuine
 * certificates, as if it passed on what they say.
 */
final class Impersonator extends Part<NodeId> implements DhtBackend {
  private final Overlay overlay;
  private final MemberCertificates certificates;
  private final Supplier<RingNode> node;
  private final Function<NodeId, @Nullable ClientId> clients;

  /** Letters that went out. */
  final AtomicLong forged;

  Impersonator(
      Part<NodeId> part,
      Overlay overlay,
      MemberCertificates certificates,
      Supplier<RingNode> node,
      Function<NodeId, @Nullable ClientId> clients,
      AtomicLong forged) {
    super(part);
    this.overlay = overlay;
    this.certificates = certificates;
    this.node = node;
    this.clients = clients;
    this.forged = forged;
    onMessage(ZoneRequest.class, (from, request) -> answerForAll(request));
  }

  private void answerForAll(ZoneRequest request) {
    RequestId to = request.waiter().id();
    ClientId client = clients.apply(to.client());
    if (client == null) {
      return;
    }
    TreeSet<NodeId> all = new TreeSet<>(overlay.known());
    all.add(overlay.self());
    for (NodeId member : all) {
      NodeId below = all.lower(member);
      ZoneVote vote = vote(request, member, below == null ? all.last() : below);
      if (vote != null) {
        RingLetter letter = new RingLetter(to.client(), member, ImmutableList.of(), vote);
        if (node.get().peer().answer(client, letter)) {
          forged.incrementAndGet();
        }
      }
    }
  }

  private @Nullable ZoneVote vote(ZoneRequest request, NodeId member, NodeId below) {
    MemberCertificate own = certificates.of(member, now());
    MemberCertificate before = certificates.of(below, now());
    if (own == null || before == null) {
      return null;
    }
    long attempt = request.waiter().attempt();
    RequestId to = request.waiter().id();
    VoteReply reply =
        new VoteReply(
            new ReplicaName(request.lock(), 0),
            to,
            Optional.of(to),
            Optional.empty(),
            new GrantId(member.bits(), attempt),
            attempt,
            attempt,
            0);
    Zone zone = new Zone(below.bits() + 1, member.bits());
    return new ZoneVote(reply, new ZoneClaim(own, before, before, zone, 1), ImmutableList.of());
  }

  @Override
  public void start() {}

  @Override
  public void cancelled(CallId<?> call) {}

  @Override
  public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    return true;
  }

  @Override
  public void deliver(long key, Message payload) {}

  @Override
  public void neighboursChanged() {}

  @Override
  public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
    return ImmutableMap.of();
  }

  @Override
  public int entries() {
    return 0;
  }

  /** Those that are given. */
  static Function<NodeId, @Nullable ClientId> among(List<RingNode> clients) {
    return id ->
        clients.stream()
            .filter(client -> client.id().equals(id))
            .map(client -> new ClientId(client.peer().principal(), client.peer().session(), 0))
            .findFirst()
            .orElse(null);
  }
}
