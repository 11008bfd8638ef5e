package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import io.testudo.quorum.wire.WireType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of each release, kept for ever; a line is never changed. */
class GoldenBytesTest {
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

  private static final FrameCodec FRAMES = new FrameCodec(SigmaTypes.ALL, WireLimits.AUTHENTICATED);
  private static final long HANDLE = 300;

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    List<String> lines =
        Resources.readLines(Resources.getResource("golden/v1/sigma.txt"), StandardCharsets.UTF_8);
    for (String line : lines) {
      String[] nameAndBytes = line.split(" ", 2);
      bytes.put(nameAndBytes[0], nameAndBytes[1]);
    }
    return bytes;
  }

  private static byte[] encode(Message sample) {
    return FRAMES.encode(List.of(new Envelope(HANDLE, sample)));
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
      Message sample = Objects.requireNonNull(SAMPLES.get(line.getKey()), line.getKey());
      byte[] bytes = HexFormat.of().parseHex(line.getValue());
      assertThat(FRAMES.decode(bytes).envelopes().get(0).message()).isEqualTo(sample);
    }
  }

  @Test
  void keepsASampleOfEveryType() {
    assertThat(SigmaTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
