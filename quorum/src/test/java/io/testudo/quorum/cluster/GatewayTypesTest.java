package io.testudo.quorum.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.quorum.Right;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import io.testudo.quorum.wire.WireLimits;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GatewayTypesTest {
  private static final FrameCodec FRAMES =
      new FrameCodec(GatewayTypes.ALL, WireLimits.AUTHENTICATED);

  /** Lines are never changed: these bytes were sent. */
  @ParameterizedTest
  @CsvSource({
    "LOCK, 0168070a08011206746865206361",
    "READ, 0168070a08021206746865206361",
    "SUBMIT, 0168070a08031206746865206361",
    "ORDER, 0168070a08041206746865206361",
    "ADMINISTER, 0168070a08051206746865206361"
  })
  void saysARefusalInTheBytesOfVersionOne(Right right, String hex) throws WireException {
    Envelope said = new Envelope(7, new NoRight(right, "the ca"));
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(FRAMES.encode(List.of(said))).isEqualTo(bytes);
    assertThat(FRAMES.decode(bytes).envelopes()).containsExactly(said);
  }

  @Test
  void saysThatASealIsOfAnotherKind() throws WireException {
    Envelope said = new Envelope(7, new NoRight(Right.ORDER, "the ca", true));
    byte[] bytes = HexFormat.of().parseHex("0168070c080412067468652063611801");
    assertThat(FRAMES.encode(List.of(said))).isEqualTo(bytes);
    assertThat(FRAMES.decode(bytes).envelopes()).containsExactly(said);
  }

  @ParameterizedTest
  @EnumSource(Right.class)
  void carriesTheLongestNames(Right right) throws WireException {
    String longest = "\u20ac".repeat(NoRight.MAX_NAME_LENGTH);
    Envelope said = new Envelope(1, new NoRight(right, longest));
    assertThat(FRAMES.decode(FRAMES.encode(List.of(said))).envelopes()).containsExactly(said);
  }

  @Test
  void refusesARightThatNobodyKnows() {
    byte[] bytes = HexFormat.of().parseHex("0168070a08061206746865206361");
    assertThatExceptionOfType(WireException.class).isThrownBy(() -> FRAMES.decode(bytes));
  }
}
