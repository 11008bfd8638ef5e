package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final int HMAC_LENGTH = 41;
  private static final int ED25519_LENGTH = 81;

  @Test
  void survivesTheWayThroughBytes() throws Exception {
    for (Seal seal : new Seal[] {hmacSeal(), signatureSeal()}) {
      Seal decoded = Seal.decode(seal.encode());
      assertThat(decoded).isEqualTo(seal).hasSameHashCodeAs(seal);
      assertThat(decoded.encode()).isEqualTo(seal.encode());
      assertThat(decoded.scheme()).isEqualTo(seal.scheme());
      assertThat(decoded.keyId()).isEqualTo(seal.keyId());
    }
  }

  @Test
  void hasOneLengthPerScheme() {
    assertThat(hmacSeal().encode()).hasSize(HMAC_LENGTH);
    assertThat(signatureSeal().encode()).hasSize(ED25519_LENGTH);
    assertThat(Seal.MAX_ENCODED_LENGTH).isEqualTo(ED25519_LENGTH);
  }

  @Test
  void decodesNothingButExactLengthsOfKnownSchemes() {
    for (int scheme = 0; scheme < 256; scheme++) {
      for (int length = 1; length <= 2 * ED25519_LENGTH; length++) {
        byte[] bytes = Keys.repeated(0x5a, length);
        bytes[0] = (byte) scheme;
        boolean valid =
            (scheme == 1 && length == HMAC_LENGTH) || (scheme == 2 && length == ED25519_LENGTH);
        Throwable thrown = catchThrowable(() -> Seal.decode(bytes));
        if (valid) {
          assertThat(thrown).isNull();
        } else {
          assertThat(thrown).isInstanceOf(MalformedSealException.class);
        }
      }
    }
  }

  @Test
  void saysWhatIsWrongWithGarbage() {
    assertThatThrownBy(() -> Seal.decode(new byte[0]))
        .isInstanceOf(MalformedSealException.class)
        .hasMessage("The seal is empty; drop the message.");
    assertThatThrownBy(() -> Seal.decode(Keys.repeated(0xff, HMAC_LENGTH)))
        .isInstanceOf(MalformedSealException.class)
        .hasMessage("The seal has the unknown scheme 255; drop the message.");
    assertThatThrownBy(() -> Seal.decode(Arrays.copyOf(hmacSeal().encode(), HMAC_LENGTH - 1)))
        .isInstanceOf(MalformedSealException.class)
        .hasMessage("A seal of scheme HMAC_SHA256 has 41 bytes, but 40 came; drop the message.");
  }

  @Test
  void differsInEveryBit() throws Exception {
    Seal seal = hmacSeal();
    byte[] encoded = seal.encode();
    for (int bit = 8; bit < encoded.length * 8; bit++) {
      assertThat(Seal.decode(Keys.withBitFlipped(encoded, bit))).isNotEqualTo(seal);
    }
    assertThat(seal.equals(null)).isFalse();
    assertThat(seal)
        .isNotEqualTo(signatureSeal())
        .isNotEqualTo(new Seal(SealScheme.ED25519, seal.keyId(), seal.proof()))
        .doesNotHaveSameHashCodeAs(signatureSeal());
  }

  @Test
  void isNotChangedThroughArraysGivenOrTaken() throws Exception {
    byte[] encoded = hmacSeal().encode();
    Seal seal = Seal.decode(encoded);
    encoded[20] ^= 1;
    seal.encode()[20] ^= 1;
    assertThat(seal).isEqualTo(hmacSeal());
  }

  @Test
  void isPrintedWithSchemeAndKey() {
    assertThat(hmacSeal()).hasToString("Seal(HMAC_SHA256, key 8d13334fedd15b31)");
  }

  private static Seal hmacSeal() {
    return Sealer.hmac(Keys.secret(1)).seal(context(), Keys.utf8("body"));
  }

  private static Seal signatureSeal() {
    return Sealer.ed25519(Keys.signingKey(1), 7).seal(context(), Keys.utf8("body"));
  }

  private static SealContext context() {
    return new SealContext(SealKind.COMMIT, "prod", "stück");
  }
}
