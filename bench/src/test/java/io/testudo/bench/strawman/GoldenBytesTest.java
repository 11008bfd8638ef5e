package io.testudo.bench.strawman;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
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
  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "Ask", new Ask("pr\u00fcfung", 1L << 60, 300, 800_000_000),
          "Drop", new Drop("printer", 1L << 60, (1L << 60) + 5),
          "Granted", new Granted("printer", 1L << 60, 300, (1L << 60) + 5),
          "Rejected", new Rejected(1L << 60, 1, Rejected.Reason.OWNED, -7, 0));

  private static final FrameCodec FRAMES =
      new FrameCodec(StrawmanTypes.ALL, WireLimits.AUTHENTICATED);
  private static final long HANDLE = 300;

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    List<String> lines =
        Resources.readLines(
            Resources.getResource("golden/v1/strawman.txt"), StandardCharsets.UTF_8);
    for (String line : lines) {
      String[] nameAndBytes = line.split(" ", 2);
      bytes.put(nameAndBytes[0], nameAndBytes[1]);
    }
    return bytes;
  }

  private static String encode(Message sample) {
    return HexFormat.of().formatHex(FRAMES.encode(List.of(new Envelope(HANDLE, sample))));
  }

  @Test
  void writesTheBytesOfVersionOne() throws IOException {
    Map<String, String> written = new TreeMap<>();
    SAMPLES.forEach((name, sample) -> written.put(name, encode(sample)));
    assertThat(written).isEqualTo(golden());
  }

  @Test
  void readsTheBytesOfVersionOne() throws IOException, WireException {
    for (Map.Entry<String, String> line : golden().entrySet()) {
      Message sample = Objects.requireNonNull(SAMPLES.get(line.getKey()), line.getKey());
      byte[] bytes = HexFormat.of().parseHex(line.getValue());
      assertThat(FRAMES.decode(bytes).envelopes()).containsExactly(new Envelope(HANDLE, sample));
    }
  }

  @Test
  void keepsASampleOfEveryType() {
    assertThat(StrawmanTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
