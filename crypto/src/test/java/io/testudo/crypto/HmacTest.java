package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HmacTest {
  /** RFC 4231, section 4, without the case of truncated output. */
  static List<Arguments> publishedVectors() {
    return List.of(
        Arguments.of(
            Keys.repeated(0x0b, 20),
            Keys.utf8("Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Arguments.of(
            Keys.utf8("Jefe"),
            Keys.utf8("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Arguments.of(
            Keys.repeated(0xaa, 20),
            Keys.repeated(0xdd, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Arguments.of(
            Keys.countingUp(1, 25),
            Keys.repeated(0xcd, 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Arguments.of(
            Keys.repeated(0xaa, 131),
            Keys.utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Arguments.of(
            Keys.repeated(0xaa, 131),
            Keys.utf8(
                "This is a test using a larger than block-size key and a larger than block-size"
                    + " data. The key needs to be hashed before being used by the HMAC algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"));
  }

  @ParameterizedTest
  @MethodSource("publishedVectors")
  void matchesPublishedVectors(byte[] key, byte[] message, String code) {
    Hmac hmac = Hmac.underRaw(key);
    assertThat(Keys.hex(hmac.mac(message))).isEqualTo(code);
    assertThat(Keys.hex(hmac.mac(message))).as("again, with the spare").isEqualTo(code);
    assertThat(hmac.verify(Keys.hex(code), message)).isTrue();
  }

  @Test
  void secretIsTheKey() {
    assertThat(Hmac.under(Keys.secret(1)).mac(new byte[0]))
        .isEqualTo(Hmac.underRaw(Keys.countingUp(1, 32)).mac(new byte[0]));
  }

  @Test
  void rangesCountAsOneMessage() {
    Hmac hmac = Hmac.under(Keys.secret(1));
    byte[] message = Keys.countingUp(0, 100);
    byte[] code = hmac.mac(message);
    for (int cut = 0; cut <= 100; cut++) {
      ByteBuffer head = ByteBuffer.wrap(message, 0, cut);
      ByteBuffer tail = ByteBuffer.wrap(message, cut, 100 - cut);
      assertThat(hmac.mac(head, tail)).isEqualTo(code);
      assertThat(hmac.verify(code, head, tail)).isTrue();
      assertThat(head.remaining()).as("position is left alone").isEqualTo(cut);
    }
  }

  @Test
  void takesDirectAndReadOnlyBuffers() {
    Hmac hmac = Hmac.under(Keys.secret(1));
    byte[] message = Keys.countingUp(0, 100);
    ByteBuffer direct = ByteBuffer.allocateDirect(100).put(message).flip();
    ByteBuffer readOnly = ByteBuffer.wrap(message).asReadOnlyBuffer();
    assertThat(hmac.mac(direct)).isEqualTo(hmac.mac(message));
    assertThat(hmac.mac(readOnly)).isEqualTo(hmac.mac(message));
  }

  @Test
  void refusesEveryOtherCode() {
    Hmac hmac = Hmac.under(Keys.secret(1));
    byte[] message = Keys.utf8("message");
    byte[] code = hmac.mac(message);
    for (int bit = 0; bit < 256; bit++) {
      assertThat(hmac.verify(Keys.withBitFlipped(code, bit), message)).isFalse();
    }
  }

  @Test
  void refusesTruncatedAndExtendedCodes() {
    Hmac hmac = Hmac.under(Keys.secret(1));
    byte[] message = Keys.utf8("message");
    byte[] code = hmac.mac(message);
    for (int length : new int[] {0, 1, 16, 31, 33, 64}) {
      assertThat(hmac.verify(Arrays.copyOf(code, length), message)).isFalse();
    }
  }

  @Test
  void goesOnAfterTheSecretIsWiped() {
    SecretBytes secret = Keys.secret(1);
    Hmac hmac = Hmac.under(secret);
    secret.close();
    assertThat(hmac.mac(new byte[3])).isEqualTo(Hmac.under(Keys.secret(1)).mac(new byte[3]));
  }

  @Test
  void staysRightAfterACallThatFailed() {
    Hmac hmac = Hmac.under(Keys.secret(1));
    byte[] expected = hmac.mac(new byte[] {1});
    @SuppressWarnings("NullAway") // The null makes the call fail between two ranges.
    ByteBuffer[] broken = {ByteBuffer.wrap(new byte[] {9}), null};
    assertThatThrownBy(() -> hmac.mac(broken)).isInstanceOf(NullPointerException.class);
    assertThat(hmac.mac(new byte[] {1})).isEqualTo(expected);
  }

  @Test
  void manyThreadsGetTheSameCodesAsOne() throws Exception {
    int threads = 8;
    int messages = 2_000;
    Hmac shared = Hmac.under(Keys.secret(1));
    List<byte[]> expected = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      expected.add(Hmac.under(Keys.secret(1)).mac(Keys.countingUp(i, 1 + i % 200)));
    }
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> wrong = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        wrong.add(
            executor.submit(
                () -> {
                  start.await();
                  int mistakes = 0;
                  for (int i = 0; i < messages; i++) {
                    byte[] message = Keys.countingUp(i, 1 + i % 200);
                    ByteBuffer head = ByteBuffer.wrap(message, 0, 1);
                    ByteBuffer tail = ByteBuffer.wrap(message, 1, message.length - 1);
                    if (!shared.verify(expected.get(i), head, tail)) {
                      mistakes++;
                    }
                  }
                  return mistakes;
                }));
      }
      for (Future<Integer> mistakes : wrong) {
        assertThat(mistakes.get()).isZero();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
