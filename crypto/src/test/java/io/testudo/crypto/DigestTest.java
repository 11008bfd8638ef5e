package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestTest {
  /** Examples of FIPS 180. */
  @ParameterizedTest
  @CsvSource({
    "'', e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq,"
        + " 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  })
  void matchesPublishedVectors(String message, String digest) {
    assertThat(Digest.of(Keys.utf8(message))).hasToString(digest);
  }

  @Test
  void matchesPublishedVectorOfMillionBytes() {
    assertThat(Digest.of(Keys.repeated('a', 1_000_000)))
        .hasToString("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }

  @Test
  void survivesTheWayThroughBytes() {
    Digest digest = Digest.of(Keys.utf8("x"));
    assertThat(Digest.fromBytes(digest.toByteArray())).isEqualTo(digest).hasSameHashCodeAs(digest);
  }

  @Test
  void differsInEveryBit() {
    Digest digest = Digest.of(Keys.utf8("x"));
    for (int bit = 0; bit < 256; bit++) {
      assertThat(Digest.fromBytes(Keys.withBitFlipped(digest.toByteArray(), bit)))
          .isNotEqualTo(digest);
    }
    assertThat(digest.equals(null)).isFalse();
    assertThat(digest).doesNotHaveSameHashCodeAs(Digest.of(Keys.utf8("y")));
  }

  @Test
  void isNotChangedThroughArraysGivenOrTaken() {
    byte[] given = Keys.countingUp(0, 32);
    Digest digest = Digest.fromBytes(given);
    given[0] = 99;
    digest.toByteArray()[1] = 99;
    assertThat(digest.toByteArray()).isEqualTo(Keys.countingUp(0, 32));
  }

  @Test
  void refusesOtherLengths() {
    for (int length : new int[] {0, 31, 33}) {
      assertThatThrownBy(() -> Digest.fromBytes(new byte[length]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A digest has 32 bytes, but " + length + " were given.");
    }
  }

  @Test
  void builderDigestsPartsBehindTheirLengths() {
    Digest parts =
        Digest.builder("p").add(Keys.hex("aabb")).add("é").add("").add(0x0102030405060708L).build();
    byte[] whole =
        Keys.hex(
            "0000000170"
                + "00000002aabb"
                + "00000002c3a9"
                + "00000000"
                + "000000080102030405060708");
    assertThat(parts).isEqualTo(Digest.of(whole));
  }

  @Test
  void builderTellsSplitsAndPurposesApart() {
    List<Digest> digests = new ArrayList<>();
    digests.add(Digest.builder("p").build());
    digests.add(Digest.builder("p").add("").build());
    digests.add(Digest.builder("p").add("").add("").build());
    digests.add(Digest.builder("p").add("abc").build());
    digests.add(Digest.builder("p").add("ab").add("c").build());
    digests.add(Digest.builder("p").add("a").add("bc").build());
    digests.add(Digest.builder("pa").add("bc").build());
    digests.add(Digest.builder("q").add("abc").build());
    digests.add(Digest.of(Keys.utf8("pabc")));
    assertThat(digests).doesNotHaveDuplicates();
  }

  @Test
  void builderTakesADigestAsItsBytes() {
    Digest inner = Digest.of(Keys.utf8("x"));
    assertThat(Digest.builder("p").add(inner).build())
        .isEqualTo(Digest.builder("p").add(inner.toByteArray()).build());
  }

  @Test
  void builderRefusesBadText() {
    assertThatThrownBy(() -> Digest.builder("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Digest.builder("x".repeat(65)))
        .hasMessage("The purpose of the digest is 65 bytes long in UTF-8; use 1 to 64.");
    assertThatThrownBy(() -> Digest.builder("p").add("\ud800"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The text to digest holds half a surrogate pair; use well-formed Unicode.");
  }
}
