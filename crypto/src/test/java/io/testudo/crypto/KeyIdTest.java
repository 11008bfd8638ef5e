package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyIdTest {
  @Test
  void keepsItsDerivationForEver() {
    assertThat(KeyId.of(Keys.secret(1))).hasToString("8d13334fedd15b31");
    assertThat(KeyId.of(Keys.signingKey(1).verifyingKey())).hasToString("4e79a6003b426fd7");
  }

  @Test
  void tellsKeysApart() {
    assertThat(KeyId.of(Keys.secret(1))).isEqualTo(KeyId.of(Keys.secret(1)));
    assertThat(KeyId.of(Keys.secret(1))).isNotEqualTo(KeyId.of(Keys.secret(2)));
    assertThat(KeyId.of(Keys.signingKey(1).verifyingKey()))
        .isNotEqualTo(KeyId.of(Keys.signingKey(2).verifyingKey()));
  }

  @Test
  void isPrintedWithLeadingZeros() {
    assertThat(new KeyId(0xabL)).hasToString("00000000000000ab");
  }
}
