package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SealVerifierTest {
  private static final SealContext CONTEXT = new SealContext(SealKind.PROPOSE, "prod", "orders");
  private static final byte[] BODY = Keys.utf8("rank 7, version 3");

  @ParameterizedTest
  @EnumSource
  void acceptsWhatWasSealed(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    assertThat(seal.scheme()).isEqualTo(scheme);
    assertThat(verifier(scheme, 1).verify(CONTEXT, BODY, seal)).isTrue();
    Seal ofNothing = sealer(scheme, 1).seal(CONTEXT, new byte[0]);
    assertThat(verifier(scheme, 1).verify(CONTEXT, new byte[0], ofNothing)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void sealsTheSameAlways(SealScheme scheme) {
    assertThat(sealer(scheme, 1).seal(CONTEXT, BODY))
        .isEqualTo(sealer(scheme, 1).seal(CONTEXT, BODY));
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryOtherKind(SealScheme scheme) {
    for (SealKind sealed : SealKind.values()) {
      Seal seal = sealer(scheme, 1).seal(new SealContext(sealed, "prod", "orders"), BODY);
      for (SealKind claimed : SealKind.values()) {
        assertThat(
                verifier(scheme, 1).verify(new SealContext(claimed, "prod", "orders"), BODY, seal))
            .as("%s shown as %s", sealed, claimed)
            .isEqualTo(sealed == claimed);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesOtherClustersAndNames(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    for (SealContext other :
        List.of(
            context("prod2", "orders"),
            context("pro", "orders"),
            context("Prod", "orders"),
            context("prod", "order"),
            context("prod", "orders2"),
            context("prod", "0rders"),
            context("prod", "orderS"),
            context("prod", "orders\0"),
            context("orders", "prod"))) {
      assertThat(verifier(scheme, 1).verify(other, BODY, seal)).as("%s", other).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noBoundaryCanBeShifted(SealScheme scheme) {
    String text = "abcdefgh";
    List<SealContext> contexts = new ArrayList<>();
    List<byte[]> bodies = new ArrayList<>();
    for (int name = 1; name < text.length(); name++) {
      for (int body = name + 1; body <= text.length(); body++) {
        contexts.add(context(text.substring(0, name), text.substring(name, body)));
        bodies.add(Keys.utf8(text.substring(body)));
      }
    }
    SealVerifier verifier = verifier(scheme, 1);
    for (int sealed = 0; sealed < contexts.size(); sealed++) {
      Seal seal = sealer(scheme, 1).seal(contexts.get(sealed), bodies.get(sealed));
      for (int claimed = 0; claimed < contexts.size(); claimed++) {
        assertThat(verifier.verify(contexts.get(claimed), bodies.get(claimed), seal))
            .isEqualTo(sealed == claimed);
      }
    }
  }

  /** Names and bodies that hold what the layout itself would write between them. */
  @ParameterizedTest
  @EnumSource
  void lengthsInsideNamesDoNotMoveBoundaries(SealScheme scheme) {
    SealContext one = context("a", "b\0\0\0\0");
    Seal seal = sealer(scheme, 1).seal(one, new byte[0]);
    assertThat(verifier(scheme, 1).verify(context("a", "b"), new byte[4], seal)).isFalse();
    assertThat(verifier(scheme, 1).verify(context("a\0\1b", "x"), new byte[0], seal)).isFalse();
    Seal other = sealer(scheme, 1).seal(context("a", "x"), Keys.utf8("\0\1b"));
    assertThat(verifier(scheme, 1).verify(context("a\0\1x", "b"), new byte[0], other)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryChangedBitOfTheBody(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    for (int bit = 0; bit < BODY.length * 8; bit++) {
      assertThat(verifier(scheme, 1).verify(CONTEXT, Keys.withBitFlipped(BODY, bit), seal))
          .as("bit %d", bit)
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesShortenedAndExtendedBodies(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    for (int length = 0; length <= BODY.length + 4; length++) {
      assertThat(verifier(scheme, 1).verify(CONTEXT, Arrays.copyOf(BODY, length), seal))
          .isEqualTo(length == BODY.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryChangedBitOfTheSeal(SealScheme scheme) {
    byte[] encoded = sealer(scheme, 1).seal(CONTEXT, BODY).encode();
    for (int bit = 0; bit < encoded.length * 8; bit++) {
      assertThat(verifiesDecoded(verifier(scheme, 1), Keys.withBitFlipped(encoded, bit)))
          .as("bit %d", bit)
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesAnotherKeyEvenUnderTheRightId(SealScheme scheme) throws Exception {
    Seal foreign = sealer(scheme, 2).seal(CONTEXT, BODY);
    assertThat(verifier(scheme, 1).verify(CONTEXT, BODY, foreign)).isFalse();
    Seal relabelled = withKeyId(foreign, sealer(scheme, 1).seal(CONTEXT, BODY).keyId());
    assertThat(verifier(scheme, 1).verify(CONTEXT, BODY, relabelled)).isFalse();
    assertThat(verifier(scheme, 1, 2).verify(CONTEXT, BODY, relabelled)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void refusesTheRightProofUnderAnotherKnownId(SealScheme scheme) throws Exception {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    Seal relabelled = withKeyId(seal, sealer(scheme, 2).seal(CONTEXT, BODY).keyId());
    assertThat(verifier(scheme, 1, 2).verify(CONTEXT, BODY, relabelled)).isFalse();
  }

  @Test
  void refusesAFalseClaimOfTheScheme() throws Exception {
    Seal signature = sealer(SealScheme.ED25519, 1).seal(CONTEXT, BODY);
    Seal code = sealer(SealScheme.HMAC_SHA256, 1).seal(CONTEXT, BODY);
    SealVerifier signatures = verifier(SealScheme.ED25519, 1);
    SealVerifier codes = verifier(SealScheme.HMAC_SHA256, 1);
    assertThat(signatures.verify(CONTEXT, BODY, code)).isFalse();
    assertThat(codes.verify(CONTEXT, BODY, signature)).isFalse();
    Seal codeAsSignature = claim(SealScheme.ED25519, code);
    Seal signatureAsCode = claim(SealScheme.HMAC_SHA256, signature);
    for (SealVerifier verifier : List.of(signatures, codes)) {
      assertThat(verifier.verify(CONTEXT, BODY, codeAsSignature)).isFalse();
      assertThat(verifier.verify(CONTEXT, BODY, signatureAsCode)).isFalse();
    }
  }

  /** A proof that is right in every byte still counts only under its own scheme. */
  @ParameterizedTest
  @EnumSource
  void schemeIsCheckedBeforeTheProof(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    for (SealScheme claimed : SealScheme.values()) {
      Seal relabelled = new Seal(claimed, seal.keyId(), seal.proof());
      assertThat(verifier(scheme, 1).verify(CONTEXT, BODY, relabelled))
          .isEqualTo(claimed == scheme);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysCanBeExchangedOneAfterTheOther(SealScheme scheme) {
    Seal old = sealer(scheme, 1).seal(CONTEXT, BODY);
    Seal fresh = sealer(scheme, 2).seal(CONTEXT, BODY);
    assertThat(old.keyId()).isNotEqualTo(fresh.keyId());
    SealVerifier during = verifier(scheme, 1, 2);
    assertThat(during.verify(CONTEXT, BODY, old)).isTrue();
    assertThat(during.verify(CONTEXT, BODY, fresh)).isTrue();
    SealVerifier after = verifier(scheme, 2);
    assertThat(after.verify(CONTEXT, BODY, old)).isFalse();
    assertThat(after.verify(CONTEXT, BODY, fresh)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void theSameKeyTwiceIsOneKey(SealScheme scheme) {
    Seal seal = sealer(scheme, 1).seal(CONTEXT, BODY);
    assertThat(verifier(scheme, 1, 1).verify(CONTEXT, BODY, seal)).isTrue();
  }

  @Test
  void refusesTwoKeysWithOneId() {
    assertThatThrownBy(() -> SealKeys.byId(List.of("one", "two"), key -> new KeyId(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Two different keys have the id 0000000000000005; make a new key in place of one.");
  }

  @Test
  void refusesNoKeyAndTooManyKeys() {
    assertThatThrownBy(() -> SealVerifier.hmac(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A seal verifier was given 0 keys; give 1 to 4096.");
    assertThatThrownBy(() -> SealVerifier.ed25519(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    List<Long> keys = new ArrayList<>();
    for (long key = 0; key < SealVerifier.MAX_KEYS; key++) {
      keys.add(key);
    }
    assertThat(SealKeys.byId(keys, KeyId::new)).hasSize(SealVerifier.MAX_KEYS);
    keys.add(-1L);
    assertThatThrownBy(() -> SealKeys.byId(keys, KeyId::new))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void bodyHasAMaximum(SealScheme scheme) {
    byte[] longest = new byte[Sealer.MAX_BODY_BYTES];
    byte[] tooLong = new byte[Sealer.MAX_BODY_BYTES + 1];
    Seal seal = sealer(scheme, 1).seal(CONTEXT, longest);
    assertThat(verifier(scheme, 1).verify(CONTEXT, longest, seal)).isTrue();
    Seal beyond = sealWithoutBounds(scheme, seal.keyId(), tooLong);
    assertThat(verifier(scheme, 1).verify(CONTEXT, tooLong, beyond)).isFalse();
    assertThatThrownBy(() -> sealer(scheme, 1).seal(CONTEXT, tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A body of 16777217 bytes can't be sealed; use at most 16777216.");
  }

  /** A client that may sign or authenticate messages must not be talked into making a seal. */
  @Test
  void otherUsesOfAKeyGiveNoSeal() throws Exception {
    KeyId secretId = KeyId.of(Keys.secret(1));
    byte[] covered = SealedBytes.whole(SealScheme.HMAC_SHA256, secretId, CONTEXT, BODY);
    Seal code = new Seal(SealScheme.HMAC_SHA256, secretId, Hmac.under(Keys.secret(1)).mac(covered));
    assertThat(verifier(SealScheme.HMAC_SHA256, 1).verify(CONTEXT, BODY, code)).isFalse();

    KeyId keyId = KeyId.of(Keys.signingKey(1).verifyingKey());
    byte[] session = new byte[Long.BYTES];
    byte[] signed = SignatureSealer.signedBytes(keyId, CONTEXT, session, BODY);
    byte[] proof = Bytes.concat(session, Keys.signingKey(1).sign("seal", signed));
    Seal signature = new Seal(SealScheme.ED25519, keyId, proof);
    assertThat(verifier(SealScheme.ED25519, 1).verify(CONTEXT, BODY, signature)).isFalse();
  }

  @Test
  void hmacSealsGoOnAfterTheSecretsAreWiped() {
    SecretBytes secret = Keys.secret(1);
    Sealer sealer = Sealer.hmac(secret);
    SealVerifier verifier = SealVerifier.hmac(List.of(secret));
    secret.close();
    assertThat(verifier.verify(CONTEXT, BODY, sealer.seal(CONTEXT, BODY))).isTrue();
  }

  @Test
  void signatureSealerEndsWithItsKey() {
    SigningKey key = Keys.signingKey(1);
    Sealer sealer = Sealer.ed25519(key, 7);
    key.close();
    assertThatThrownBy(() -> sealer.seal(CONTEXT, BODY)).isInstanceOf(IllegalStateException.class);
  }

  private static SealContext context(String cluster, String name) {
    return new SealContext(SealKind.PROPOSE, cluster, name);
  }

  private static Sealer sealer(SealScheme scheme, int key) {
    return switch (scheme) {
      case HMAC_SHA256 -> Sealer.hmac(Keys.secret(key));
      case ED25519 -> Sealer.ed25519(Keys.signingKey(key), 7);
    };
  }

  private static SealVerifier verifier(SealScheme scheme, Integer... keys) {
    return switch (scheme) {
      case HMAC_SHA256 -> SealVerifier.hmac(Arrays.stream(keys).map(Keys::secret).toList());
      case ED25519 ->
          SealVerifier.ed25519(
              Arrays.stream(keys).map(key -> Keys.signingKey(key).verifyingKey()).toList());
    };
  }

  /** What a client with the key but without our limits could make. */
  private static Seal sealWithoutBounds(SealScheme scheme, KeyId keyId, byte[] body) {
    byte[] session = new byte[Long.BYTES];
    byte[] proof =
        switch (scheme) {
          case HMAC_SHA256 ->
              Hmac.underRaw(Kdf.deriveOwn(Keys.secret(1), "seal-hmac"))
                  .mac(SealedBytes.whole(scheme, keyId, CONTEXT, body));
          case ED25519 ->
              Bytes.concat(
                  session,
                  Keys.signingKey(1)
                      .signRaw(SignatureSealer.signedBytes(keyId, CONTEXT, session, body)));
        };
    return new Seal(scheme, keyId, proof);
  }

  private static boolean verifiesDecoded(SealVerifier verifier, byte[] encoded) {
    try {
      return verifier.verify(CONTEXT, BODY, Seal.decode(encoded));
    } catch (MalformedSealException e) {
      return false;
    }
  }

  private static Seal withKeyId(Seal seal, KeyId keyId) throws MalformedSealException {
    byte[] encoded = seal.encode();
    ByteBuffer.wrap(encoded).putLong(1, keyId.value());
    return Seal.decode(encoded);
  }

  /** The same key id and, as far as it fits, the same proof under another scheme. */
  private static Seal claim(SealScheme scheme, Seal seal) throws MalformedSealException {
    byte[] encoded = Arrays.copyOf(seal.encode(), 1 + 8 + scheme.proofLength());
    encoded[0] = (byte) scheme.number();
    return Seal.decode(encoded);
  }
}
