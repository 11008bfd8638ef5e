package io.testudo.mutex.dht.e2e;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import org.jspecify.annotations.Nullable;

/** The end-to-end mutex at one node: client, holder, hop and replica. */
public final class E2eBackend extends Part<NodeId> implements DhtBackend {
  private final E2eClient client;
  private final E2eHops hops;
  private final E2eReplicas replicas;

  public E2eBackend(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.client = new E2eClient(this, overlay, settings, entropy);
    this.hops = new E2eHops(this, overlay, settings);
    this.replicas = new E2eReplicas(this, overlay, settings, entropy);
  }

  @Override
  public void cancelled(CallId<?> call) {
    client.cancelled(call);
  }

  @Override
  public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    if (payload instanceof VoteRequest request) {
      return hops.requestPasses(request);
    }
    if (payload instanceof IAmWinner winner) {
      hops.winnerPasses(winner, next);
    } else if (payload instanceof TokenRelease release) {
      return hops.releasePasses(release, next);
    }
    return true;
  }

  @Override
  public void deliver(long key, Message payload) {
    if (payload instanceof VoteRequest request) {
      replicas.onRequest(request);
    } else if (payload instanceof VoteYield yield) {
      replicas.onYield(yield);
    } else if (payload instanceof IAmWinner winner) {
      replicas.onWinner(winner);
    } else if (payload instanceof TokenRelease release) {
      replicas.onRelease(release);
    }
  }

  @Override
  public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
    return client.grants(token, now);
  }

  @Override
  public int entries() {
    return hops.size() + replicas.size();
  }
}
