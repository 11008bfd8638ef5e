package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What must never change: numbers, layout, and the bytes of seals made once. */
class SealFormatTest {
  private static final SealContext CONTEXT = new SealContext(SealKind.COMMIT, "prod", "stück");
  private static final byte[] BODY = Keys.utf8("body");
  private static final long SESSION = 0x1112131415161718L;

  /** Made by a separate program from the table in docs/crypto.md. */
  private static final String HMAC_SEAL =
      "018d13334fedd15b31e847b6e01c02b27666f3296a3a384e9c7f9a40b7ff8516a750da018cc5f6765c";

  private static final String SIGNATURE_SEAL =
      "024e79a6003b426fd7"
          + "1112131415161718"
          + "032f443c37c0d30460d3aba0ca67f694a27d784596346308bf803a0d7cfadfcc"
          + "28e0e37c48ef253caa128d52384dfe8fb5d8746bf84a850f5ceb8b5933d85702";

  @Test
  void sealsKeepTheirBytesForEver() {
    assertThat(Keys.hex(Sealer.hmac(Keys.secret(1)).seal(CONTEXT, BODY).encode()))
        .isEqualTo(HMAC_SEAL);
    assertThat(Keys.hex(Sealer.ed25519(Keys.signingKey(1), SESSION).seal(CONTEXT, BODY).encode()))
        .isEqualTo(SIGNATURE_SEAL);
  }

  @Test
  void aSignatureTellsTheSessionAndACodeTellsNone() {
    assertThat(Sealer.ed25519(Keys.signingKey(1), SESSION).seal(CONTEXT, BODY).session())
        .isEqualTo(SESSION);
    assertThat(Sealer.hmac(Keys.secret(1)).seal(CONTEXT, BODY).session()).isZero();
  }

  @Test
  void numbersArePermanent() {
    assertThat(
            Arrays.stream(SealKind.values())
                .collect(Collectors.toMap(SealKind::name, SealKind::number)))
        .containsOnly(
            Map.entry("OP", 1),
            Map.entry("RANK", 2),
            Map.entry("PROPOSE", 3),
            Map.entry("COMMIT", 4),
            Map.entry("TURN", 6),
            Map.entry("LIFE", 7));
    assertThat(
            Arrays.stream(SealScheme.values())
                .collect(Collectors.toMap(SealScheme::name, SealScheme::number)))
        .containsOnly(Map.entry("HMAC_SHA256", 1), Map.entry("ED25519", 2));
  }

  @Test
  void everySchemeIsFoundByItsNumber() {
    for (SealScheme scheme : SealScheme.values()) {
      assertThat(SealScheme.ofNumber(scheme.number())).isEqualTo(scheme);
    }
    assertThat(SealScheme.ofNumber(0)).isNull();
    assertThat(SealScheme.ofNumber(3)).isNull();
  }

  @Test
  void coversLabelSchemeKeyKindClusterNameAndBody() {
    byte[] expected =
        Keys.hex(
            "7465737475646f2d7365616c2d763100" // testudo-seal-v1 and a zero
                + "02" // ED25519
                + "0102030405060708" // key id
                + "04" // COMMIT
                + "000470726f64" // prod
                + "00067374c3bc636b" // stück
                + "00000004626f6479"); // body
    KeyId keyId = new KeyId(0x0102030405060708L);
    byte[] whole = SealedBytes.whole(SealScheme.ED25519, keyId, CONTEXT, BODY);
    assertThat(whole).isEqualTo(expected);
    assertThat(SealedBytes.header(SealScheme.ED25519, keyId, CONTEXT, BODY.length))
        .isEqualTo(Arrays.copyOf(expected, expected.length - BODY.length));
  }

  @Test
  void anyEd25519ImplementationCanCheckASignatureSeal() throws Exception {
    SigningKey key = Keys.signingKey(1);
    Seal seal = Sealer.ed25519(key, SESSION).seal(CONTEXT, BODY);
    byte[] derHeader = Keys.hex("302a300506032b6570032100");
    byte[] der = Arrays.copyOf(derHeader, derHeader.length + VerifyingKey.LENGTH);
    System.arraycopy(key.verifyingKey().toByteArray(), 0, der, derHeader.length, 32);
    PublicKey publicKey =
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(publicKey);
    byte[] signed = Bytes.concat(Longs.toByteArray(SESSION), BODY);
    signature.update(SealedBytes.whole(SealScheme.ED25519, seal.keyId(), CONTEXT, signed));
    byte[] proof = seal.proof();
    assertThat(signature.verify(Arrays.copyOfRange(proof, Long.BYTES, proof.length))).isTrue();
  }

  @Test
  void contextTakesNamesUpToTheirMaximum() {
    String cluster = "é".repeat(64);
    String name = "é".repeat(256);
    assertThat(new SealContext(SealKind.OP, cluster, name).name()).isEqualTo(name);
    assertThatThrownBy(() -> new SealContext(SealKind.OP, cluster + "x", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The cluster name is 129 bytes long in UTF-8; use 1 to 128.");
    assertThatThrownBy(() -> new SealContext(SealKind.OP, cluster, name + "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The name of the lock or object is 513 bytes long in UTF-8; use 1 to 512.");
  }

  @Test
  void contextRefusesEmptyAndBrokenNames() {
    for (String bad : new String[] {"", "\ud800", "a\udc00b", "\udc00\ud800"}) {
      assertThatThrownBy(() -> new SealContext(SealKind.OP, bad, "n"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new SealContext(SealKind.OP, "c", bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
