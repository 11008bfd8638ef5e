package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealKind;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of each release, kept for ever; a line is never changed. */
class GoldenBytesTest {
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

  private static final FrameCodec FRAMES =
      new FrameCodec(BackoffTypes.ALL, WireLimits.AUTHENTICATED);
  private static final StateCodec RECORDS = new StateCodec(BackoffTypes.ALL);
  private static final long HANDLE = 300;

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    List<String> lines =
        Resources.readLines(Resources.getResource("golden/v1/backoff.txt"), StandardCharsets.UTF_8);
    for (String line : lines) {
      String[] nameAndBytes = line.split(" ", 2);
      bytes.put(nameAndBytes[0], nameAndBytes[1]);
    }
    return bytes;
  }

  private static byte[] encode(Object sample) {
    return sample instanceof Message message
        ? FRAMES.encode(List.of(new Envelope(HANDLE, message)))
        : RECORDS.encode((StateRecord) sample);
  }

  private static Object decode(byte[] bytes, Object sample) throws WireException {
    return sample instanceof Message
        ? FRAMES.decode(bytes).envelopes().get(0).message()
        : RECORDS.decode(bytes);
  }

  @Test
  void writesTheBytesOfVersionOne() throws IOException {
    Map<String, String> written = new TreeMap<>();
    SAMPLES.forEach((name, sample) -> written.put(name, HexFormat.of().formatHex(encode(sample))));
    assertThat(written).isEqualTo(golden());
  }

  @Test
  void readsTheBytesOfVersionOne() throws IOException, WireException {
    for (Map.Entry<String, String> line : golden().entrySet()) {
      Object sample = Objects.requireNonNull(SAMPLES.get(line.getKey()), line.getKey());
      byte[] bytes = HexFormat.of().parseHex(line.getValue());
      assertThat(decode(bytes, sample)).isEqualTo(sample);
    }
  }

  @Test
  void keepsASampleOfEveryType() {
    assertThat(BackoffTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
