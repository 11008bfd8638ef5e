package io.testudo.mutex.backoff;

import com.google.common.collect.ImmutableMap;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.junit.GoldenBytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

class GoldenBytesTest extends GoldenBytes {
  private static final Optional<Seal> SEAL =
      Optional.of(
          Sealer.hmac(
                  SecretBytes.copyOf(
                      "a key of thirty-two ascii letters"
                          .substring(0, 32)
                          .getBytes(StandardCharsets.US_ASCII)))
              .seal(new SealContext(SealKind.RANK, "prod", "printer"), new byte[] {1}));

  private static final Ceilings.Ranks RANKS =
      new Ceilings.Ranks(1L << 59, ImmutableMap.of("printer", 1L << 60));

  private static final ImmutableMap<String, Object> SAMPLES =
      ImmutableMap.<String, Object>builder()
          .put("Try", new Try("printer", 3, 1L << 60, SEAL, 800_000_000, 2, true))
          .put("Renew", new Renew("printer", 3, 1L << 60, 800_000_000, 300))
          .put("Release", new Release("pr\u00fcfung", 3, 1L << 60))
          .put("Free", new Free("printer", 3, 1L << 60, 1))
          .put("Locked", new Locked(1L << 60, 1, 5_000_000, new SealedRank(99, -7, SEAL), true))
          .put("Stale", new Stale(1L << 60, 1, SealedRank.unsealed(99)))
          .put("Refused", new Refused(1L << 60, RefusalReason.TOO_MANY_LOCKS, 100_000))
          .put("RankCeiling", new RankCeiling(1L << 60))
          .put("LongestLease", new LongestLease(31_000_000_000L))
          .put("NameCeiling", new NameCeiling("printer", 1L << 60))
          .put("CeilingsKnown", new CeilingsKnown(true))
          .put("AskCeilings", new AskCeilings(7))
          .put("Ceilings", new Ceilings(7, true, RANKS))
          .put("TakeCeilings", new TakeCeilings(7, RANKS))
          .buildOrThrow();

  GoldenBytesTest() {
    super(BackoffTypes.ALL, "golden/v1/backoff.txt", SAMPLES);
  }
}
