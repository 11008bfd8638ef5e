package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SigningKeyTest {
  private static final BigInteger GROUP_ORDER =
      BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));

  private final SigningKey key = Keys.signingKey(1);
  private final byte[] message = Keys.utf8("message");

  /** RFC 8032, section 7.1. */
  @ParameterizedTest
  @CsvSource({
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
        + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,"
        + "'',"
        + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e3970"
        + "1cf9b46bd25bf5f0595bbe24655141438e7a100b",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
        + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,"
        + "72,"
        + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613"
        + "d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
        + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,"
        + "af82,"
        + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760"
        + "984dc6594a7c15e9716ed28dc027beceea1ec40a",
  })
  void matchesPublishedVectors(String seed, String publicKey, String message, String signature) {
    SigningKey key = SigningKey.fromSeed(SecretBytes.copyOf(Keys.hex(seed)));
    assertThat(key.verifyingKey()).hasToString(publicKey);
    assertThat(Keys.hex(key.signRaw(Keys.hex(message)))).isEqualTo(signature);
    assertThat(
            VerifyingKey.fromBytes(Keys.hex(publicKey))
                .verifyRaw(Keys.hex(message), Keys.hex(signature)))
        .isTrue();
  }

  @Test
  void signatureVerifiesForItsPurposeAndMessageOnly() {
    byte[] signature = key.sign("greeting", message);
    VerifyingKey verifier = key.verifyingKey();
    assertThat(verifier.verify("greeting", message, signature)).isTrue();
    assertThat(verifier.verify("greetinh", message, signature)).isFalse();
    assertThat(verifier.verify("greetingm", Keys.utf8("essage"), signature)).isFalse();
    assertThat(verifier.verify("greetin", Keys.utf8("gmessage"), signature)).isFalse();
    assertThat(verifier.verifyRaw(message, signature)).isFalse();
    assertThat(Keys.signingKey(2).verifyingKey().verify("greeting", message, signature)).isFalse();
    for (int bit = 0; bit < message.length * 8; bit++) {
      assertThat(verifier.verify("greeting", Keys.withBitFlipped(message, bit), signature))
          .isFalse();
    }
  }

  @Test
  void coversLabelPurposeAndMessage() {
    assertThat(SigningKey.signedBytes("é", new byte[] {9}))
        .isEqualTo(Keys.hex("74657374" + "75646f2d7369676e2d763100" + "0002c3a9" + "09"));
  }

  @Test
  void refusesEveryChangedBitOfTheSignature() {
    byte[] signature = key.sign("p", message);
    for (int bit = 0; bit < signature.length * 8; bit++) {
      assertThat(key.verifyingKey().verify("p", message, Keys.withBitFlipped(signature, bit)))
          .as("bit %d", bit)
          .isFalse();
    }
  }

  @Test
  void refusesMalformedSignaturesWithoutAnException() {
    byte[] signature = key.sign("p", message);
    List<byte[]> malformed = new ArrayList<>();
    for (int length : new int[] {0, 1, 32, 63, 65, 128}) {
      malformed.add(Arrays.copyOf(signature, length));
    }
    malformed.add(new byte[64]);
    malformed.add(Keys.repeated(0xff, 64));
    for (byte[] bytes : malformed) {
      assertThat(key.verifyingKey().verify("p", message, bytes)).isFalse();
    }
  }

  @Test
  void refusesASecondSpellingOfAValidSignature() {
    byte[] signature = key.sign("p", message);
    byte[] bigEndian = new byte[32];
    for (int i = 0; i < 32; i++) {
      bigEndian[i] = signature[63 - i];
    }
    byte[] shifted = new BigInteger(1, bigEndian).add(GROUP_ORDER).toByteArray();
    byte[] second = signature.clone();
    for (int i = 0; i < 32; i++) {
      second[32 + i] = shifted[shifted.length - 1 - i];
    }
    assertThat(key.verifyingKey().verify("p", message, second)).isFalse();
  }

  @Test
  void signingIsDeterministic() {
    assertThat(key.sign("p", message)).isEqualTo(Keys.signingKey(1).sign("p", message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0100000000000000000000000000000000000000000000000000000000000000", // order 1
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // order 2
        "0000000000000000000000000000000000000000000000000000000000000000", // order 4
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // order 8
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 1, not reduced
        "0200000000000000000000000000000000000000000000000000000000000000", // no point
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      })
  void refusesUnsafePublicKeys(String bytes) {
    assertThatThrownBy(() -> VerifyingKey.fromBytes(Keys.hex(bytes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no safe Ed25519 public key");
  }

  @Test
  void refusesKeysOfOtherLengths() {
    for (int length : new int[] {0, 31, 33}) {
      assertThatThrownBy(() -> VerifyingKey.fromBytes(new byte[length]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("An Ed25519 public key has 32 bytes, but " + length + " were given.");
    }
    SecretBytes longSeed = SecretBytes.copyOf(Keys.countingUp(1, 33));
    assertThatThrownBy(() -> SigningKey.fromSeed(longSeed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("An Ed25519 seed has 32 bytes, but 33 were given.");
  }

  @Test
  void refusesTooLongMessagesAndPurposes() {
    byte[] longest = new byte[SigningKey.MAX_MESSAGE_BYTES];
    assertThat(key.verifyingKey().verify("p", longest, key.sign("p", longest))).isTrue();
    assertThatThrownBy(() -> key.sign("p", new byte[SigningKey.MAX_MESSAGE_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A message of 16777217 bytes can't be signed; use at most 16777216.");
    assertThatThrownBy(() -> key.sign("p".repeat(65), message))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void generatesDifferentWorkingKeys() {
    SecureRandom random = new SecureRandom();
    try (SigningKey one = SigningKey.generate(random);
        SigningKey two = SigningKey.generate(random)) {
      assertThat(one.verifyingKey()).isNotEqualTo(two.verifyingKey());
      assertThat(one.verifyingKey().verify("p", message, one.sign("p", message))).isTrue();
    }
  }

  @Test
  void closeEndsSigningButNotVerifying() {
    byte[] signature = key.sign("p", message);
    key.close();
    assertThatThrownBy(() -> key.sign("p", message)).isInstanceOf(IllegalStateException.class);
    assertThat(key.verifyingKey().verify("p", message, signature)).isTrue();
  }

  @Test
  void goesOnAfterItsSeedIsWiped() {
    SecretBytes seed = Keys.secret(1);
    SigningKey own = SigningKey.fromSeed(seed);
    seed.close();
    assertThat(own.sign("p", message)).isEqualTo(key.sign("p", message));
  }

  @Test
  void printsNoSecret() {
    assertThat(key).hasToString("SigningKey(id " + KeyId.of(key.verifyingKey()) + ")");
  }

  @Test
  void verifyingKeyIsAValue() {
    VerifyingKey one = key.verifyingKey();
    byte[] bytes = one.toByteArray();
    VerifyingKey same = VerifyingKey.fromBytes(bytes);
    bytes[0] ^= 1;
    one.toByteArray()[0] ^= 1;
    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(one.equals(null)).isFalse();
    assertThat(one)
        .isNotEqualTo(Keys.signingKey(2).verifyingKey())
        .doesNotHaveSameHashCodeAs(Keys.signingKey(2).verifyingKey());
  }
}
