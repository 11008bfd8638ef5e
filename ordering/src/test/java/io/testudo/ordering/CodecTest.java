package io.testudo.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.Bytes;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
  private static final int PLENTY = 1 << 16;

  private static Bytes hex(String digits) {
    return Bytes.copyOf(HexFormat.of().parseHex(digits));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(Codec.LONG, 0L, "00"),
        Arguments.of(Codec.LONG, -1L, "01"),
        Arguments.of(Codec.LONG, 64L, "8001"),
        Arguments.of(Codec.LONG, Long.MAX_VALUE, "feffffffffffffffff01"),
        Arguments.of(Codec.LONG, Long.MIN_VALUE, "ffffffffffffffffff01"),
        Arguments.of(Codec.INT, 300, "d804"),
        Arguments.of(Codec.DOUBLE, -0.5, "bfe0000000000000"),
        Arguments.of(Codec.BOOLEAN, true, "01"),
        Arguments.of(Codec.STRING, "a\u20ac\ud83d\ude00", "0861e282acf09f9880"),
        Arguments.of(Codec.STRING, "", "00"),
        Arguments.of(Codec.BYTES, Bytes.copyOf(new byte[] {0, -1}), "0200ff"),
        Arguments.of(Codec.NOTHING, Nothing.NOTHING, ""),
        Arguments.of(Codec.optional(Codec.LONG), Optional.empty(), "00"),
        Arguments.of(Codec.optional(Codec.LONG), Optional.of(3L), "0106"),
        Arguments.of(Codec.listOf(Codec.LONG), ImmutableList.of(1L, -2L), "020203"),
        Arguments.of(
            Codec.mapOf(Codec.STRING, Codec.LONG),
            ImmutableMap.of("b", 1L, "a", 2L),
            "02016202016104"),
        Arguments.of(Codec.LONG.mapped(number -> "" + number, Long::valueOf), "5", "0a"));
  }

  @ParameterizedTest
  @MethodSource("values")
  <T> void writesAndReadsBack(Codec<T> codec, T value, String digits) {
    assertThat(codec.encode(value, PLENTY, "it")).isEqualTo(hex(digits));
    assertThat(codec.decode(hex(digits))).isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("values")
  <T> void refusesWhatIsMissingAndWhatIsLeftOver(Codec<T> codec, T value, String digits) {
    Bytes bytes = hex(digits);
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> codec.decode(bytes.concat(hex("00"))));
    for (int length = 0; length < bytes.size(); length++) {
      Bytes cut = bytes.slice(0, length);
      assertThatExceptionOfType(MalformedValueException.class).isThrownBy(() -> codec.decode(cut));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"8000", "80808080808080808000", "ffffffffffffffffff02", "ffffffffffffffffffff01"})
  void takesOnlyTheShortestSpellingOfANumber(String digits) {
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> Codec.LONG.decode(hex(digits)));
  }

  @Test
  void refusesOtherSpellings() {
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> Codec.BOOLEAN.decode(hex("02")));
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> Codec.STRING.decode(hex("01ff")));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Codec.INT.decode(hex("feffffffffffffffff01")));
  }

  /** A count that promises more than can be there must not cost memory. */
  @Test
  void refusesCountsThatCannotBeTrue() {
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> Codec.listOf(Codec.LONG).decode(hex("ffffffff0700")));
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> Codec.BYTES.decode(hex("ffffffffffffffffff01")));
  }

  @Test
  void refusesMachineACharacterBecauseItWouldComeBackAsAnother() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Codec.STRING.encode("\ud83d", PLENTY, "it"));
  }

  @Test
  void saysWhatIsTooLarge() {
    String text = "x".repeat(99);
    assertThat(Codec.STRING.encode(text, 100, "the motto").size()).isEqualTo(100);
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(() -> Codec.STRING.encode(text + "x", 100, "the motto"))
        .withMessageStartingWith(
            "The value is too large: the motto has more than 100 bytes: it did not happen");
  }

  @Test
  void idsComeBackFromTheirText() {
    OperationId id = new OperationId(-2, 17);
    assertThat(id).hasToString("fffffffffffffffe-17");
    assertThat(OperationId.parse(id.toString())).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "17",
        "fffffffffffffffe-",
        "fffffffffffffffe-0",
        "FFFFFFFFFFFFFFFE-1",
        "fffffffffffffffe-+1",
        "fffffffffffffffe-01",
        "gffffffffffffffe-1"
      })
  void refusesWhatIsNoId(String text) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> OperationId.parse(text))
        .withMessageContaining("is no operation id");
  }
}
