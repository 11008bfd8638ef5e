package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConstantTimeTest {
  @Test
  void equalsOnlyTheSameBytes() {
    byte[] bytes = Keys.countingUp(1, 32);
    assertThat(ConstantTime.equal(bytes, bytes.clone())).isTrue();
    for (int bit = 0; bit < 256; bit++) {
      assertThat(ConstantTime.equal(bytes, Keys.withBitFlipped(bytes, bit))).isFalse();
    }
  }

  @Test
  void prefixIsNotEqual() {
    assertThat(ConstantTime.equal(new byte[32], new byte[31])).isFalse();
    assertThat(ConstantTime.equal(new byte[0], new byte[1])).isFalse();
  }

  @Test
  void seesAnySetBitAmongZeros() {
    assertThat(ConstantTime.allZero(new byte[32])).isTrue();
    for (int bit = 0; bit < 256; bit++) {
      assertThat(ConstantTime.allZero(Keys.withBitFlipped(new byte[32], bit))).isFalse();
    }
  }
}
