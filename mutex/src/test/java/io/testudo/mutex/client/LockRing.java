package io.testudo.mutex.client;

import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.ring.EmbeddedRing;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A ring in this process as the acceptance suite wants its servers. */
final class LockRing implements LockAcceptance.Servers {
  /** Impatient: the loopback address is fast, and tests wait for members to be missed. */
  static final OverlayTiming OVERLAY =
      new OverlayTiming(Duration.ofMillis(300).toNanos(), Duration.ofMillis(300).toNanos(), 4);

  /** A renewal takes several hops: on a busy machine a shorter hold would lapse before it comes. */
  private static final LockTiming TIMING =
      LockTiming.standard().withRefresh(Duration.ofMillis(300)).withMaxHold(Duration.ofSeconds(5));

  private final int members;
  private final EmbeddedRing ring;

  private LockRing(int members, EmbeddedRing ring) {
    this.members = members;
    this.ring = ring;
  }

  static LockRing start(int members, String backend) {
    return new LockRing(members, EmbeddedRing.start(members, protocol(backend)));
  }

  static RingProtocol protocol(String backend) {
    return RingProtocols.find(backend).orElseThrow().withTiming(TIMING).withOverlay(OVERLAY);
  }

  @Override
  public int servers() {
    return members;
  }

  @Override
  public LockClient.Builder prepareClient(String principal) {
    return LockClient.at(ring.client(principal)).closesConnections();
  }

  @Override
  public LockAcceptance.Mortal mortalClient(String principal) {
    RingNode node = ring.client(principal);
    return new LockAcceptance.Mortal(LockClient.at(node).build(), node::kill);
  }

  @Override
  public void stop(ServerId server) {
    ring.kill(server.index());
  }

  @Override
  public void restart(ServerId server) {
    ring.restart(server.index());
  }

  @Override
  public void close() {
    ring.close();
  }

  /** This ring for one test of several: at its end what it stopped comes back. */
  LockAcceptance.Servers forOneTest() {
    return new OneTest();
  }

  private final class OneTest implements LockAcceptance.Servers {
    private final List<Runnable> ends = new ArrayList<>();
    private final Set<Integer> stopped = new TreeSet<>();

    @Override
    public int servers() {
      return members;
    }

    @Override
    public LockClient.Builder prepareClient(String principal) {
      RingNode node = ring.client(principal);
      ends.add(node::kill);
      return LockClient.at(node);
    }

    @Override
    public LockAcceptance.Mortal mortalClient(String principal) {
      return LockRing.this.mortalClient(principal);
    }

    @Override
    public void stop(ServerId server) {
      stopped.add(server.index());
      LockRing.this.stop(server);
    }

    @Override
    public void restart(ServerId server) {
      stopped.remove(server.index());
      LockRing.this.restart(server);
    }

    @Override
    public void close() {
      ends.forEach(Runnable::run);
      List.copyOf(stopped).forEach(member -> restart(new ServerId(member)));
    }
  }
}
