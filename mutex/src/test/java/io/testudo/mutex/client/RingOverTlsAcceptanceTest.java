package io.testudo.mutex.client;

import io.testudo.mutex.dht.ring.EmbeddedRing;
import io.testudo.mutex.dht.ring.RingKeys;
import io.testudo.mutex.dht.ring.RingNode;
import io.testudo.quorum.ServerId;

/** sigma-dht on a ring in this process whose members and clients show certificates. */
class RingOverTlsAcceptanceTest extends LockAcceptance {
  private static final int MEMBERS = 9;

  @Override
  Servers newCluster() {
    return new OneRing(
        EmbeddedRing.start(
            MEMBERS, LockRing.protocol("sigma-dht"), RingKeys.tls(EmbeddedRing.NAME)));
  }

  private record OneRing(EmbeddedRing ring) implements Servers {
    @Override
    public int servers() {
      return MEMBERS;
    }

    @Override
    public LockClient.Builder prepareClient(String principal) {
      return LockClient.at(ring.client(principal)).closesConnections();
    }

    @Override
    public Mortal mortalClient(String principal) {
      RingNode node = ring.client(principal);
      return new Mortal(LockClient.at(node).build(), node::kill);
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
  }
}
