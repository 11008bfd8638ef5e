package io.testudo.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnated;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Leap;
import io.testudo.quorum.ping.Pardon;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.ping.Witnessed;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.StateRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The bytes of each release, kept for ever: what was once sent or stored must always be understood.
 * A line is never changed; a new release may add lines, and a file of its own if it writes
 * differently.
 */
class GoldenBytesTest {
  private static final ImmutableMap<String, Object> SAMPLES =
      ImmutableMap.of(
          "Ping", new Ping(0x0123456789abcdefL, Incarnations.of(1, 0, 300, Long.MAX_VALUE)),
          "Pong",
              new Pong(
                  -2,
                  new ServerId(3),
                  7,
                  300,
                  ImmutableList.of(new Leap(2, 5)),
                  Incarnations.of(1, 2, 0, 4)),
          "Incarnated", new Incarnated(7),
          "Witnessed", new Witnessed(new ServerId(63), 1_000_000),
          "Pardon", new Pardon(300, new ServerId(2)));

  private static final FrameCodec FRAMES = new FrameCodec(PingTypes.ALL, WireLimits.AUTHENTICATED);
  private static final StateCodec RECORDS = new StateCodec(PingTypes.ALL);
  private static final long HANDLE = 300;

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    List<String> lines =
        Resources.readLines(Resources.getResource("golden/v1/ping.txt"), StandardCharsets.UTF_8);
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
    assertThat(PingTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
