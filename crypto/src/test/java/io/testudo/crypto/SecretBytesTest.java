package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SecretBytesTest {
  @Test
  void refusesTooShortAndTooLong() {
    for (int length : new int[] {0, 16, 31, 65}) {
      assertThatThrownBy(() -> SecretBytes.copyOf(Keys.repeated(7, length)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A secret of " + length + " bytes was given; use 32 to 64 random bytes.");
    }
    assertThat(SecretBytes.copyOf(Keys.repeated(7, 32)).length()).isEqualTo(32);
    assertThat(SecretBytes.copyOf(Keys.repeated(7, 64)).length()).isEqualTo(64);
  }

  @Test
  void refusesZeros() {
    assertThatThrownBy(() -> SecretBytes.copyOf(new byte[32]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zeros");
  }

  @Test
  void refusesRandomnessThatGivesZeros() {
    assertThatThrownBy(() -> SecretBytes.random(fixedRandom(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void randomTakesItsBytesFromTheGivenSource() {
    assertThat(SecretBytes.random(fixedRandom(7)))
        .isEqualTo(SecretBytes.copyOf(Keys.repeated(7, 32)));
  }

  @Test
  void isNotChangedThroughTheGivenArray() {
    byte[] given = Keys.countingUp(1, 32);
    SecretBytes secret = SecretBytes.copyOf(given);
    given[0] = 99;
    assertThat(secret).isEqualTo(Keys.secret(1));
    secret.copy()[0] = 99;
    assertThat(secret).isEqualTo(Keys.secret(1));
  }

  @Test
  void neverPrintsItsBytes() {
    assertThat(Keys.secret(0x41)).hasToString("SecretBytes(32 bytes)");
  }

  @Test
  void equalsOnlyTheSameBytes() {
    SecretBytes secret = Keys.secret(1);
    assertThat(secret).isEqualTo(Keys.secret(1)).hasSameHashCodeAs(Keys.secret(1));
    assertThat(secret).isNotEqualTo(SecretBytes.copyOf(Keys.countingUp(1, 33)));
    for (int bit = 0; bit < 256; bit++) {
      assertThat(secret)
          .isNotEqualTo(SecretBytes.copyOf(Keys.withBitFlipped(Keys.countingUp(1, 32), bit)));
    }
    assertThat(secret.equals(null)).isFalse();
  }

  @Test
  void hashCodeDoesNotTellSecretsApart() {
    assertThat(Keys.secret(1)).hasSameHashCodeAs(Keys.secret(2));
  }

  @Test
  void closeWipesAndEndsEveryUse() {
    byte[] adopted = Keys.countingUp(1, 32);
    SecretBytes secret = SecretBytes.adopt(adopted);
    secret.close();
    assertThat(adopted).containsOnly(0);
    assertThatThrownBy(secret::copy)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The secret was wiped; read or derive it again.");
    assertThatThrownBy(() -> Hmac.under(secret)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Kdf.derive(secret, "x")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Sealer.hmac(secret)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void wipedSecretEqualsOnlyItself() {
    SecretBytes wiped = Keys.secret(1);
    wiped.close();
    SecretBytes otherWiped = Keys.secret(1);
    otherWiped.close();
    SecretBytes itself = wiped;
    assertThat(wiped).isEqualTo(itself).isNotEqualTo(otherWiped).isNotEqualTo(Keys.secret(1));
    assertThat(Keys.secret(1)).isNotEqualTo(wiped);
  }

  private static SecureRandom fixedRandom(int value) {
    return new SecureRandom() {
      private static final long serialVersionUID = 1L;

      @Override
      public void nextBytes(byte[] bytes) {
        Arrays.fill(bytes, (byte) value);
      }
    };
  }
}
