package io.testudo.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FootprintTest {
  private static final long OBJECT = 16;
  private static final long SLOT = 32;

  private record Pair(int number, Object first, Object second) {}

  @Test
  void countsWhatIsReachedOnceAndNumbersByThemselves() {
    String text = "twelve bytes";
    assertThat(Footprint.of(text)).isEqualTo(OBJECT + 12);
    assertThat(Footprint.of(new Pair(1, text, text))).isEqualTo(OBJECT + 8 + (OBJECT + 12));
    assertThat(Footprint.of(Map.of(text, Optional.empty())))
        .isEqualTo(OBJECT + 2 * SLOT + (OBJECT + 12) + OBJECT);
    assertThat(Footprint.of(Bytes.wrap(new byte[5]))).isEqualTo(OBJECT + 2 * 8 + (OBJECT + 5));
    assertThat(Footprint.of(new Object[] {text, null, text}))
        .isEqualTo(OBJECT + 4 * 3 + (OBJECT + 12));
  }

  @Test
  void scalesForgetWhatTheyWeighedBefore() {
    List<Object> heavy = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      heavy.add(new Pair(i, Bytes.wrap(new byte[i + 1]), "a"));
    }
    Footprint scales = new Footprint();
    long first = scales.weighAll(heavy);
    assertThat(first).isEqualTo(Footprint.of(heavy));
    assertThat(scales.weighAll("light")).isEqualTo(Footprint.of("light"));
    assertThat(scales.weighAll(heavy)).isEqualTo(first);
  }
}
