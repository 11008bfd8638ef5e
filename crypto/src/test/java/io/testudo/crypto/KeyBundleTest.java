package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSortedMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyBundleTest {
  private static final Path FILE = Path.of("my.keys");

  private final KeyBundle bundle =
      new KeyBundle(
          "client-keys",
          ImmutableSortedMap.of("cluster", "demo", "principal", "alice"),
          ImmutableSortedMap.of("group:a b", Keys.secret(1), "server:s0", Keys.secret(33)));

  @Test
  void hasThisText() {
    assertThat(new String(KeyBundleText.encode(bundle), StandardCharsets.UTF_8))
        .startsWith(
            """
            testudo-keys 1
            kind client-keys
            fact cluster demo
            fact principal alice
            key AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA= group:a b
            key ISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0A= server:s0
            check\s""");
  }

  @Test
  void readsWhatItWrote() throws Exception {
    byte[] text = KeyBundleText.encode(bundle);
    assertThat(KeyBundleText.decode(text, "client-keys", FILE)).isEqualTo(bundle);
  }

  @Test
  void refusesEveryChangedBitAndEveryTruncation() {
    byte[] text = KeyBundleText.encode(bundle);
    for (int bit = 0; bit < text.length * 8; bit++) {
      assertRefused(Keys.withBitFlipped(text, bit));
    }
    for (int length = 0; length < text.length; length++) {
      assertRefused(Arrays.copyOf(text, length));
    }
    assertRefused(Arrays.copyOf(text, text.length + 1));
  }

  @Test
  void refusesAnotherKind() {
    byte[] text = KeyBundleText.encode(bundle);
    assertThatThrownBy(() -> KeyBundleText.decode(text, "server-keys", FILE))
        .isInstanceOf(KeyFileException.class)
        .hasMessage("my.keys does not hold server-keys; name the right file.");
  }

  @Test
  void showsNoKey() {
    assertThat(bundle)
        .hasToString("KeyBundle(client-keys, {cluster=demo, principal=alice}, 2 keys)");
  }

  @Test
  void refusesTextThatWouldBreakItsLine() {
    for (String name : new String[] {"", "a\nb"}) {
      assertThatThrownBy(
              () ->
                  new KeyBundle(
                      "k", ImmutableSortedMap.of(), ImmutableSortedMap.of(name, Keys.secret(1))))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () -> new KeyBundle("k", ImmutableSortedMap.of("a b", "c"), ImmutableSortedMap.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertRefused(byte[] text) {
    assertThatThrownBy(() -> KeyBundleText.decode(text, "client-keys", FILE))
        .isInstanceOf(KeyFileException.class)
        .hasNoCause();
  }
}
