package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.crypto.Digest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BytesTest {
  private static final Bytes HELLO = Bytes.utf8("well, hello").slice(6, 11);

  @Test
  void aSliceIsEqualToACopy() {
    Bytes copy = Bytes.copyOf(HELLO.toByteArray());
    assertThat(HELLO).isEqualTo(copy).hasSameHashCodeAs(copy).isEqualByComparingTo(copy);
    assertThat(HELLO).isNotEqualTo(HELLO.slice(0, 4)).isNotEqualTo(Bytes.utf8("hellO"));
    assertThat(HELLO.slice(1, 3)).isEqualTo(Bytes.utf8("el"));
    assertThat(HELLO.slice(2, 2)).isSameAs(Bytes.EMPTY);
  }

  @Test
  void hashesAPartOfAnyLengthAsTheJdkDoes() {
    byte[] all = new byte[40];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) ((i * 0x9E3779B1) >> 11);
    }
    for (int from = 0; from < 5; from++) {
      for (int to = from; to < all.length; to++) {
        byte[] part = Arrays.copyOfRange(all, from, to);
        assertThat(Bytes.hash(1, all, from, to)).isEqualTo(Arrays.hashCode(part));
      }
    }
  }

  @Test
  void aCopyStaysWhatItWas() {
    byte[] given = {1, 2};
    Bytes bytes = Bytes.copyOf(given);
    given[0] = 9;
    bytes.toByteArray()[1] = 9;
    assertThat(bytes.toByteArray()).containsExactly(1, 2);
    assertThat(bytes.asByteBuffer().isReadOnly()).isTrue();
  }

  @Test
  void nothingBeyondASliceIsReached() {
    assertThat(HELLO.at(0)).isEqualTo((byte) 'h');
    assertThat(HELLO.asByteBuffer().remaining()).isEqualTo(HELLO.size()).isEqualTo(5);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> HELLO.at(-1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> HELLO.at(5));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> HELLO.slice(-1, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> HELLO.slice(0, 6));
  }

  @Test
  void putsBytesBehindOthers() {
    assertThat(HELLO.concat(Bytes.utf8("!")).toText()).isEqualTo("hello!");
    assertThat(HELLO.concat(Bytes.EMPTY)).isSameAs(HELLO);
    assertThat(Bytes.EMPTY.concat(HELLO)).isSameAs(HELLO);
    byte[] target = new byte[7];
    HELLO.copyInto(target, 1);
    assertThat(Bytes.wrap(target)).isEqualTo(Bytes.utf8("\0hello\0"));
  }

  @Test
  void ordersBytesWithoutASign() {
    Stream<Bytes> sorted = Stream.of("ff", "7f", "", "80", "7f00", "00").map(BytesTest::hex);
    assertThat(sorted.sorted())
        .containsExactly(hex(""), hex("00"), hex("7f"), hex("7f00"), hex("80"), hex("ff"));
  }

  @Test
  void tellsTextFromOtherBytes() {
    assertThat(Bytes.utf8("hé").isUtf8()).isTrue();
    assertThat(Bytes.utf8("hé").slice(0, 2).isUtf8()).isFalse();
    assertThat(hex("c3a9").toText()).isEqualTo("é");
  }

  @Test
  void digestsASliceLikeACopy() {
    assertThat(HELLO.<Digest>view(Digest::of)).isEqualTo(Digest.of(HELLO.toByteArray()));
    assertThat(HELLO.view(Digest.builder("test")::add).build())
        .isEqualTo(Digest.builder("test").add(HELLO.toByteArray()).build());
  }

  @Test
  void showsItsFirstBytes() {
    assertThat(HELLO).hasToString("Bytes[5: 68656c6c6f]");
    assertThat(Bytes.wrap(new byte[17])).hasToString("Bytes[17: " + "00".repeat(16) + "...]");
  }

  private static Bytes hex(String text) {
    return Bytes.wrap(HexFormat.of().parseHex(text));
  }
}
