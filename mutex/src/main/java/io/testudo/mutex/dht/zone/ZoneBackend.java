package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import org.jspecify.annotations.Nullable;

/** Zone voting at one node: client and voter. */
public final class ZoneBackend extends Part<NodeId> implements DhtBackend {
  private final ZoneClient client;
  private final ZoneVoters voters;

  public ZoneBackend(Part<NodeId> node, Overlay overlay, ZoneSettings settings, Entropy entropy) {
    super(node);
    this.client = new ZoneClient(this, overlay, settings, entropy);
    this.voters = new ZoneVoters(this, overlay, settings, entropy);
  }

  @Override
  public void start() {
    client.started();
    voters.neighboursChanged();
  }

  @Override
  public void cancelled(CallId<?> call) {
    client.cancelled(call);
  }

  /** {@inheritDoc} Nobody keeps anything on the way. */
  @Override
  public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
    return true;
  }

  @Override
  public void deliver(long key, Message payload) {
    if (payload instanceof ZoneRequest request) {
      voters.onRouted(request);
    }
  }

  @Override
  public void neighboursChanged() {
    voters.neighboursChanged();
  }

  @Override
  public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
    return client.grants(token, now);
  }

  @Override
  public int entries() {
    return voters.size();
  }
}
