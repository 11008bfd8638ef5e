package io.testudo.mutex.dht.ring;

import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.zone.MemberCertificates;
import java.security.SecureRandom;

/** What a node of a ring on sockets does beside being there. */
interface RingMutex {
  SecureRandom RANDOM = new SecureRandom();

  /** That of its protocol. */
  RingMutex HONEST = (protocol, proofs) -> protocol.maker(RANDOM::nextLong, proofs);

  DhtNode.Maker maker(RingProtocol protocol, MemberCertificates proofs);
}
