package io.testudo.mutex.dht;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.overlay.OverlayListener;
import io.testudo.mutex.dht.overlay.OverlayNode;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.StateRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machine of one node: its place in the overlay, and a mutex on it. Nothing is on disk. */
public final class DhtNode extends Machine<NodeId> {
  /** Makes the mutex of a node. */
  public interface Maker {
    DhtBackend make(Part<NodeId> node, Overlay overlay);
  }

  /** A mutex hears of the overlay, which is made first. */
  private final class Upcalls implements OverlayListener {
    @Override
    public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
      return backend.forward(key, payload, previous, next);
    }

    @Override
    public void tookWay(long key, Message payload, NodeId next) {
      backend.tookWay(key, payload, next);
    }

    @Override
    public void deliver(long key, Message payload) {
      backend.deliver(key, payload);
    }

    @Override
    public void neighboursChanged() {
      backend.neighboursChanged();
    }
  }

  private final OverlayNode overlay;
  private final DhtBackend backend;

  /**
   * Makes a node.
   *
   * @param routing what it knows of others at its start
   * @param member whether it is a member, or a client beside the ring
   * @param contacts members through which it joins or enters
   */
  public DhtNode(
      NodeId self,
      Routing routing,
      OverlayTiming timing,
      boolean member,
      List<NodeId> contacts,
      Maker maker) {
    this.overlay = new OverlayNode(this, self, routing, timing, member, contacts, new Upcalls());
    this.backend = maker.make(this, overlay);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    backend.start();
    overlay.start();
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    backend.cancelled(call);
  }

  /** Its place, for pictures and checks. */
  public OverlayNode overlay() {
    return overlay;
  }

  /** Its mutex, for pictures and checks. */
  public DhtBackend backend() {
    return backend;
  }
}
