package io.testudo.mutex.client;

import io.testudo.mutex.dht.ring.EmbeddedRing;
import io.testudo.mutex.dht.ring.RingKeys;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * zone on a ring in this process whose members prove by certificates which space is theirs. One
 * ring for all tests: who comes has no vote until a longest lease has passed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ZoneOverTlsAcceptanceTest extends LockAcceptance {
  private static final int MEMBERS = 9;

  private @Nullable EmbeddedRing ring;

  @BeforeAll
  void startAll() {
    ring = EmbeddedRing.start(MEMBERS, LockRing.protocol("zone"), RingKeys.tls(EmbeddedRing.NAME));
  }

  @AfterAll
  void endAll() {
    ring().close();
  }

  private EmbeddedRing ring() {
    return Objects.requireNonNull(ring, "it has not started");
  }

  @Override
  boolean isFenced() {
    return false;
  }

  @Override
  Servers newCluster() {
    return new OneTest();
  }

  private final class OneTest implements Servers {
    private final Set<Integer> stopped = new LinkedHashSet<>();
    private final List<RingNode> clients = new ArrayList<>();

    @Override
    public int servers() {
      return MEMBERS;
    }

    private RingNode client(String principal) {
      RingNode client = ring().client(principal);
      clients.add(client);
      return client;
    }

    @Override
    public LockClient.Builder prepareClient(String principal) {
      return LockClient.at(client(principal)).closesConnections();
    }

    @Override
    public Mortal mortalClient(String principal) {
      RingNode node = client(principal);
      return new Mortal(LockClient.at(node).build(), node::kill);
    }

    @Override
    public void stop(ServerId server) {
      ring().kill(server.index());
      stopped.add(server.index());
    }

    @Override
    public void restart(ServerId server) {
      stopped.remove(server.index());
      ring().restart(server.index());
    }

    @Override
    public void close() {
      clients.forEach(RingNode::kill);
      Set.copyOf(stopped).forEach(member -> restart(new ServerId(member)));
    }
  }
}
