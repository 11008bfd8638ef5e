package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyFileTextTest {
  private static final Path FILE = Path.of("my.key");

  @Test
  void keepsItsTextForEver() {
    assertThat(text(KeyFileKind.SECRET))
        .isEqualTo(
            """
            testudo-key 1
            kind secret
            id 8d13334fedd15b31
            data AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
            """);
    assertThat(text(KeyFileKind.SIGNING_KEY))
        .isEqualTo(
            """
            testudo-key 1
            kind signing-key
            id 4e79a6003b426fd7
            data AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
            """);
    assertThat(text(KeyFileKind.VERIFYING_KEY))
        .isEqualTo(
            """
            testudo-key 1
            kind verifying-key
            id 4e79a6003b426fd7
            data ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=
            """);
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatItWrote(KeyFileKind kind) throws Exception {
    assertThat(KeyFileText.decode(KeyFileText.encode(kind, raw(kind)), kind, FILE))
        .isEqualTo(raw(kind));
  }

  @Test
  void readsSecretsOfEveryLength() throws Exception {
    for (int length = SecretBytes.MIN_LENGTH; length <= SecretBytes.MAX_LENGTH; length++) {
      byte[] raw = Keys.countingUp(1, length);
      byte[] text = KeyFileText.encode(KeyFileKind.SECRET, raw);
      assertThat(text.length).isLessThan(KeyFile.MAX_BYTES);
      assertThat(KeyFileText.decode(text, KeyFileKind.SECRET, FILE)).isEqualTo(raw);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryChangedBit(KeyFileKind kind) {
    byte[] text = KeyFileText.encode(kind, raw(kind));
    for (int bit = 0; bit < text.length * 8; bit++) {
      byte[] damaged = Keys.withBitFlipped(text, bit);
      assertThat(catchThrowable(() -> KeyFileText.decode(damaged, kind, FILE)))
          .as("bit %d", bit)
          .isInstanceOf(KeyFileException.class)
          .hasMessageStartingWith("my.key ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesEveryTruncation(KeyFileKind kind) {
    byte[] text = KeyFileText.encode(kind, raw(kind));
    for (int length = 0; length < text.length; length++) {
      byte[] torn = Arrays.copyOf(text, length);
      assertThat(catchThrowable(() -> KeyFileText.decode(torn, kind, FILE)))
          .as("length %d", length)
          .isInstanceOf(KeyFileException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesAnythingMore(KeyFileKind kind) {
    for (String more : new String[] {"\n", " ", "x", "\0", "data AAAA\n"}) {
      byte[] longer = Keys.utf8(text(kind) + more);
      assertThatThrownBy(() -> KeyFileText.decode(longer, kind, FILE))
          .isInstanceOf(KeyFileException.class);
    }
  }

  @Test
  void refusesOtherSpellings() {
    String text = text(KeyFileKind.SECRET);
    for (String other :
        new String[] {
          text.replace("secret\n", "secret\r\n"),
          text.replace("8d13334fedd15b31", "8D13334FEDD15B31"),
          text.replace("HyA=", "HyB="), // the same bytes: the last bits are unused
          text.replace("HyA=", "HyA"),
          text.replace("kind secret\nid 8d13334fedd15b31", "id 8d13334fedd15b31\nkind secret"),
        }) {
      assertThat(other).isNotEqualTo(text);
      assertDamaged(other, KeyFileKind.SECRET);
    }
  }

  @Test
  void refusesBytesThatAreNoSuchKey() {
    String head = "testudo-key 1\nkind %s\nid 0000000000000000\ndata ";
    assertDamaged(head.formatted("secret") + "AAAA\n", KeyFileKind.SECRET);
    assertDamaged(head.formatted("secret") + "\n", KeyFileKind.SECRET);
    assertDamaged(head.formatted("secret") + "A".repeat(43) + "=\n", KeyFileKind.SECRET);
    assertDamaged(head.formatted("signing-key") + "AAAA\n", KeyFileKind.SIGNING_KEY);
    assertDamaged(
        head.formatted("verifying-key") + "A".repeat(43) + "=\n", KeyFileKind.VERIFYING_KEY);
  }

  @Test
  void namesTheKindThatIsNeeded() {
    byte[] text = KeyFileText.encode(KeyFileKind.VERIFYING_KEY, raw(KeyFileKind.VERIFYING_KEY));
    assertThatThrownBy(() -> KeyFileText.decode(text, KeyFileKind.SIGNING_KEY, FILE))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(
            "my.key holds a verifying-key, but a signing-key is needed here; name the right file.");
  }

  @ParameterizedTest
  @EnumSource
  void aKeyOfOneKindIsNeverReadAsAnother(KeyFileKind written) {
    for (KeyFileKind claimed : KeyFileKind.values()) {
      String relabelled = text(written).replace(written.label(), claimed.label());
      if (claimed != written) {
        assertDamaged(relabelled, claimed);
      }
    }
  }

  @Test
  void tellsForeignFilesAndOtherVersions() {
    assertThatThrownBy(() -> KeyFileText.decode(Keys.utf8("hello"), KeyFileKind.SECRET, FILE))
        .isInstanceOf(KeyFileException.class)
        .hasMessage("my.key is no Testudo key file; name the right file or create a key.");
    byte[] windows = Keys.utf8(text(KeyFileKind.SECRET).replace("\n", "\r\n"));
    byte[] newer = Keys.utf8(text(KeyFileKind.SECRET).replace("testudo-key 1", "testudo-key 2"));
    for (byte[] text : new byte[][] {windows, newer}) {
      assertThatThrownBy(() -> KeyFileText.decode(text, KeyFileKind.SECRET, FILE))
          .isInstanceOf(KeyFileException.class)
          .hasMessage(
              "my.key is damaged or of another version;"
                  + " restore it or use the release that wrote it.");
    }
  }

  @Test
  void errorsDoNotQuoteTheKey() {
    byte[] text = Keys.utf8(text(KeyFileKind.SECRET).replace("AQIDBAUG", "AQID*AUG"));
    assertThatThrownBy(() -> KeyFileText.decode(text, KeyFileKind.SECRET, FILE))
        .isInstanceOf(KeyFileException.class)
        .hasNoCause()
        .hasMessage("my.key is damaged; restore it from a copy or create a new key.");
  }

  private static void assertDamaged(String text, KeyFileKind kind) {
    assertThatThrownBy(() -> KeyFileText.decode(Keys.utf8(text), kind, FILE))
        .isInstanceOf(KeyFileException.class)
        .hasMessage("my.key is damaged; restore it from a copy or create a new key.");
  }

  private static String text(KeyFileKind kind) {
    return new String(KeyFileText.encode(kind, raw(kind)), StandardCharsets.UTF_8);
  }

  private static byte[] raw(KeyFileKind kind) {
    return kind == KeyFileKind.VERIFYING_KEY
        ? Keys.signingKey(1).verifyingKey().toByteArray()
        : Keys.countingUp(1, 32);
  }
}
