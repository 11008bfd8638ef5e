package io.testudo.mutex.dht.wire;

import io.testudo.quorum.junit.GoldenBytes;

class GoldenBytesTest extends GoldenBytes {
  GoldenBytesTest() {
    super(RingTypes.PAYLOADS.and(RingTypes.ALL), "golden/v1/ring.txt", RingSamples.byName());
  }
}
