package io.testudo.bench.strawman;

import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.junit.GoldenBytes;
import io.testudo.quorum.protocol.Message;

class GoldenBytesTest extends GoldenBytes {
  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "Ask", new Ask("pr\u00fcfung", 1L << 60, 300, 800_000_000),
          "Drop", new Drop("printer", 1L << 60, (1L << 60) + 5),
          "Granted", new Granted("printer", 1L << 60, 300, (1L << 60) + 5),
          "Rejected", new Rejected(1L << 60, 1, Rejected.Reason.OWNED, -7, 0));

  GoldenBytesTest() {
    super(StrawmanTypes.ALL, "golden/v1/strawman.txt", SAMPLES);
  }
}
