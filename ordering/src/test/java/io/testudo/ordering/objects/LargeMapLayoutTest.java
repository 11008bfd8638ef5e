package io.testudo.ordering.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.MalformedValueException;
import io.testudo.ordering.Operation;
import io.testudo.quorum.Bytes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where keys are: for ever where they were once put. */
class LargeMapLayoutTest {
  private static final LargeMapLayout LAYOUT = new LargeMapLayout(64, 1, -2);

  @Test
  void isWrittenAndHashesAsInItsFirstRelease() {
    assertThat(
            HexFormat.of().formatHex(LargeMapLayout.TYPE.encode(Optional.of(LAYOUT)).toByteArray()))
        .isEqualTo("0180010000000000000001fffffffffffffffe");
    assertThat(
            Stream.of("", "a", "key17", "{alice}/name", "alice", "grün")
                .map(key -> LAYOUT.shardOf(Bytes.utf8(key))))
        .containsExactly(38, 35, 42, 6, 6, 62);
  }

  @Test
  void putsKeysWithOneTagTogether() {
    assertThat(tag("{alice}/name")).isEqualTo("alice");
    assertThat(tag("user/{alice}/{x}")).isEqualTo("alice");
    assertThat(tag("{}/name")).isEqualTo("{}/name");
    assertThat(tag("{alice")).isEqualTo("{alice");
    assertThat(tag("}{")).isEqualTo("}{");
    assertThat(LAYOUT.shardOf(Bytes.utf8("{alice}/a")))
        .isEqualTo(LAYOUT.shardOf(Bytes.utf8("{alice}/b")));
  }

  private static String tag(String key) {
    return LargeMapLayout.tagOf(Bytes.utf8(key)).toText();
  }

  @Test
  void spreadsKeysEvenly() {
    int[] counts = new int[LAYOUT.shards()];
    for (int i = 0; i < 100_000; i++) {
      counts[LAYOUT.shardOf(Bytes.utf8("key" + i))]++;
    }
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(100_000 / 64 * 6 / 5);
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(100_000 / 64 * 4 / 5);
  }

  @Test
  void isDrawnOnceAndKept() {
    Operation.Step<Optional<LargeMapLayout>, LargeMapLayout> made =
        LargeMapLayout.CREATE.apply(Optional.empty(), 5);
    assertThat(made.result().shards()).isEqualTo(5);
    assertThat(LargeMapLayout.CREATE.apply(Optional.empty(), 5).result())
        .as("seeds are random")
        .isNotEqualTo(made.result());
    assertThat(LargeMapLayout.CREATE.apply(made.after(), LargeMapLayout.ANY).result())
        .isEqualTo(made.result());
    assertThat(LargeMapLayout.CREATE.apply(made.after(), 5).changed()).isFalse();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> LargeMapLayout.CREATE.apply(made.after(), 6))
        .withMessageContaining("that number never changes");
    assertThatExceptionOfType(MalformedValueException.class)
        .isThrownBy(() -> LargeMapLayout.CREATE.apply(Optional.empty(), -1));
  }
}
