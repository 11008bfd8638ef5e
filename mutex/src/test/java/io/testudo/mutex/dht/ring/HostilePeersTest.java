package io.testudo.mutex.dht.ring;

/** Where members share the keys by which they take connections. */
class HostilePeersTest extends HostilePeers {
  HostilePeersTest() {
    super(RingKeys.hmac(EmbeddedRing.NAME));
  }
}
