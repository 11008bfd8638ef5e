package io.testudo.mutex.sigma;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.quorum.junit.GoldenBytes;
import io.testudo.quorum.protocol.Message;

class GoldenBytesTest extends GoldenBytes {
  private static final GrantId GRANT = new GrantId(-7, 300);

  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.<String, Message>builder()
          .put("Request", new Request("printer", 3, 1L << 60, 800_000_000, 2))
          .put("Yield", new Yield("printer", 3, 1L << 60, GRANT, 800_000_000, 4))
          .put("SigmaRelease", new SigmaRelease("pr\u00fcfung", 3, 1L << 60, SigmaRelease.UNKNOWN))
          .put("Inquiry", new Inquiry("printer", 3, 1L << 60, 5))
          .put("Confirm", new Confirm("printer", 3, 1L << 60, GRANT, 1L << 61, 800_000_000, 6))
          .put(
              "Response",
              new Response(
                  "printer",
                  3,
                  1L << 60,
                  new Owner(1L << 60, -9, 3),
                  true,
                  GRANT,
                  12,
                  5_000_000,
                  6,
                  5,
                  1L << 61))
          .put("Check", new Check("printer", 3, 1L << 60, GRANT, 6, 5, 1L << 61))
          .put("SigmaRefused", new SigmaRefused(1L << 60, RefusalReason.OTHER_BACKEND, 100_000))
          .buildOrThrow();

  GoldenBytesTest() {
    super(SigmaTypes.ALL, "golden/v1/sigma.txt", SAMPLES);
  }
}
