package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.testudo.quorum.ClientId;
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
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of each release, kept for ever; a line is never changed. */
class LockListBytesTest {
  private static final LockView.User USER = new LockView.User(new ClientId("alice", -7, 300), 2);

  private static final ImmutableMap<String, Message> SAMPLES =
      ImmutableMap.of(
          "ListLocks",
          new ListLocks(-2, "backoff", "pr\u00fcfung/", "pr\u00fcfung/a"),
          "LockList",
          new LockList(
              300,
              ImmutableList.of(
                  new LockView(
                      "printer",
                      Optional.of(new LockView.Holding(USER, 1L << 60, 2_000_000_000L)),
                      ImmutableList.of(USER),
                      40),
                  new LockView("scanner", Optional.empty(), ImmutableList.of(), 0)),
              true));

  private static final FrameCodec FRAMES =
      new FrameCodec(LockListTypes.ALL, WireLimits.AUTHENTICATED);

  private static Map<String, String> golden() throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    for (String line :
        Resources.readLines(Resources.getResource("golden/v1/locks.txt"), StandardCharsets.UTF_8)) {
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
    assertThat(LockListTypes.ALL.all())
        .extracting(WireType::name)
        .containsExactlyInAnyOrderElementsOf(SAMPLES.keySet());
  }
}
