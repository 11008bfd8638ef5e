package io.testudo.client.inquiry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.quorum.ServerId;
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
  private static final Suspect SUSPECT =
      new Suspect(new ServerId(3), Suspect.Kind.CONTRADICTION, "calls itself s\u00fc", 7);

  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "AskStatus",
          new AskStatus(-2),
          "ServerStatus",
          new ServerStatus(
              300,
              new ServerId(1),
              "1.2.3",
              "0123456789abcdef",
              86_400_000,
              1_800_000_000_000L,
              ImmutableList.of(new SuspectReport("alice", SUSPECT, 1_800_000_000_001L))),
          "ReportSuspects",
          new ReportSuspects(ImmutableList.of(SUSPECT)),
          "ClearReports",
          new ClearReports(300, new ServerId(2)));

  private static final FrameCodec FRAMES =
      new FrameCodec(InquiryTypes.ALL, WireLimits.AUTHENTICATED);

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    for (String line :
        Resources.readLines(
            Resources.getResource("golden/v1/inquiry.txt"), StandardCharsets.UTF_8)) {
      String[] nameAndBytes = line.split(" ", 2);
      bytes.put(nameAndBytes[0], nameAndBytes[1]);
    }
    return bytes;
  }

  @Test
  void writesTheBytesOfVersionOne() throws IOException {
    Map<String, String> written = new TreeMap<>();
    SAMPLES.forEach(
        (name, sample) ->
            written.put(
                name, HexFormat.of().formatHex(FRAMES.encode(List.of(new Envelope(300, sample))))));
    assertThat(written).isEqualTo(golden());
  }

  @Test
  void readsTheBytesOfVersionOne() throws IOException, WireException {
    for (Map.Entry<String, String> line : golden().entrySet()) {
      byte[] bytes = HexFormat.of().parseHex(line.getValue());
      assertThat(FRAMES.decode(bytes).envelopes().get(0).message())
          .isEqualTo(Objects.requireNonNull(SAMPLES.get(line.getKey()), line.getKey()));
    }
  }

  @Test
  void keepsASampleOfEveryType() {
    assertThat(InquiryTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
