package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import org.jspecify.annotations.Nullable;

/** The non end-to-end mutex at one node: client, hop and replica. */
public final class PartialBackend extends Part<NodeId> implements DhtBackend {
  private final PartialClient client;
  private final PartialQueues queues;
  private final PartialReplicas replicas;

  public PartialBackend(
      Part<NodeId> node, Overlay overlay, PartialSettings settings, Entropy entropy) {
    super(node);
    this.client = new PartialClient(this, overlay, settings, entropy);
    this.queues = new PartialQueues(this, overlay, settings);
    this.replicas = new PartialReplicas(this, overlay, settings, entropy);
  }

  @Override
  public void cancelled(CallId<?> call) {
    client.cancelled(call);
  }

  @Override
  public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    if (payload instanceof VoteRequest request) {
      return queues.requestPasses(request, next);
    }
    if (payload instanceof PathRelease release) {
      return queues.releasePasses(release);
    }
    return !(payload instanceof PathYield yield) || queues.yieldPasses(yield);
  }

  @Override
  public void tookWay(long key, Message payload, NodeId next) {
    if (payload instanceof VoteRequest request) {
      queues.tookWay(request, next);
      client.tookWay(request, next);
    }
  }

  @Override
  public void deliver(long key, Message payload) {
    if (payload instanceof VoteRequest request) {
      replicas.onRequest(request);
    } else if (payload instanceof PathRelease release) {
      replicas.onRelease(release);
    } else if (payload instanceof PathYield yield) {
      replicas.onYield(yield);
    } else if (payload instanceof PathFlush flush) {
      replicas.onFlush(flush);
    }
  }

  @Override
  public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
    return client.grants(token, now);
  }

  @Override
  public int entries() {
    return queues.size() + replicas.size();
  }
}
