package io.testudo.mutex.dht.sim;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.overlay.Neighbours;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.zone.MemberCertificate;
import io.testudo.mutex.dht.zone.MemberCertificates;
import io.testudo.mutex.dht.zone.ZoneClaim;
import io.testudo.mutex.dht.zone.ZoneRequest;
import io.testudo.mutex.dht.zone.ZoneVote;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A member of a ring that votes as it likes. It keeps its place in the overlay as all do. */
public final class LyingVoter extends Part<NodeId> implements DhtBackend {
  /** What it does with a request. */
  public enum Lie {
    /** It says nothing. */
    SILENCE,
    /** It votes for everybody at once. */
    DOUBLE_VOTE,
    /** So it does, with the space of others added, as far as that is not plainly disproved. */
    CUNNING,
    /** It claims all there is, and votes for nobody, so that claims of others fall with it. */
    GREED,
    /** It votes for everybody with space that no certificate proves to be its own. */
    NO_PROOF
  }

  /** What all liars of a ring are up to at present. */
  public interface Plot {
    Lie lie();

    /** Down to where a liar may claim space without meeting one whom that client has heard. */
    NodeId unheardBelow(NodeId client, NodeId liar);
  }

  private final Overlay overlay;
  private final MemberCertificates certificates;
  private final Plot plot;
  private final Entropy entropy;

  /**
   * Makes the part.
   *
   * @param certificates that it may show, all genuine
   */
  public LyingVoter(
      Part<NodeId> node,
      Overlay overlay,
      MemberCertificates certificates,
      Plot plot,
      Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.certificates = certificates;
    this.plot = plot;
    this.entropy = entropy;
    onMessage(ZoneRequest.class, (from, request) -> onRequest(request));
  }

  private void onRequest(ZoneRequest request) {
    Neighbours neighbours = overlay.neighbours();
    Lie lie = plot.lie();
    if (neighbours == null || lie == Lie.SILENCE) {
      return;
    }
    RequestId to = request.waiter().id();
    ZoneClaim claim = claim(lie, to.client(), neighbours);
    if (claim == null) {
      return;
    }
    RequestId nobody = new RequestId(1, overlay.self());
    boolean denies = lie == Lie.GREED;
    VoteReply reply =
        new VoteReply(
            new ReplicaName(request.lock(), 0),
            to,
            Optional.of(denies ? nobody : to),
            Optional.empty(),
            new GrantId(entropy.nextLong(), 1),
            request.waiter().attempt(),
            denies ? 0 : request.waiter().attempt(),
            0);
    send(to.client(), new ZoneVote(reply, claim, overlay.known()));
  }

  private @Nullable ZoneClaim claim(Lie lie, NodeId client, Neighbours neighbours) {
    NodeId self = overlay.self();
    NodeId below =
        switch (lie) {
          case CUNNING -> plot.unheardBelow(client, self);
          case GREED -> neighbours.above();
          case NO_PROOF -> new NodeId(self.bits() + 1);
          case SILENCE, DOUBLE_VOTE -> neighbours.below();
        };
    MemberCertificate certified =
        lie == Lie.NO_PROOF
            ? new MemberCertificate(below, Bytes.wrap(new byte[] {1}))
            : certificates.of(below, now());
    MemberCertificate own = certificates.of(self, now());
    MemberCertificate above = certificates.of(neighbours.above(), now());
    return own == null || certified == null || above == null
        ? null
        : new ZoneClaim(own, certified, above, new Zone(below.bits() + 1, self.bits()), 1);
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
  public void deliver(long key, Message payload) {
    if (payload instanceof ZoneRequest request) {
      onRequest(request);
    }
  }

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
}
