package io.testudo.crypto;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSortedMap;
import java.nio.file.Path;
import java.util.Map;

/**
 * Several secrets in one file, with plain facts about whose they are. The rules of {@link KeyFile}
 * for secrets hold: never overwritten, for its owner only.
 *
 * @param kind what the bundle is for, such as {@code client-keys}
 * @param facts plain text by name
 * @param keys secrets by name; they belong to the bundle's maker, who wipes them
 */
public record KeyBundle(
    String kind,
    ImmutableSortedMap<String, String> facts,
    ImmutableSortedMap<String, SecretBytes> keys) {
  /** The longest file, in bytes. */
  public static final int MAX_BYTES = 512 << 10;

  /** The most facts and keys together. */
  public static final int MAX_ENTRIES = 1_024;

  /** The longest name or fact, in bytes of UTF-8. */
  public static final int MAX_TEXT_BYTES = 640;

  /** Refuses text that would not fit into its line. */
  public KeyBundle {
    requireWord(kind);
    if (facts.size() + keys.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "A key bundle has at most %s entries; use fewer.".formatted(MAX_ENTRIES));
    }
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      requireWord(fact.getKey());
      requireLine(fact.getValue());
    }
    for (String name : keys.keySet()) {
      requireLine(name);
    }
  }

  /** Writes a bundle into a new file that only its owner can read. */
  public static void write(Path file, KeyBundle bundle) throws KeyFileException {
    byte[] text = KeyBundleText.encode(bundle);
    try {
      ProtectedFile.write(file, true, text);
    } finally {
      SecretBytes.wipe(text);
    }
  }

  /** Reads a bundle of this kind. */
  public static KeyBundle read(Path file, String kind) throws KeyFileException {
    byte[] text = ProtectedFile.read(file, true, MAX_BYTES);
    try {
      return KeyBundleText.decode(text, kind, file);
    } finally {
      SecretBytes.wipe(text);
    }
  }

  /** Names kind and facts, and no key. */
  @Override
  public String toString() {
    return "KeyBundle(%s, %s, %s keys)".formatted(kind, facts, keys.size());
  }

  private static void requireWord(String word) {
    if (word.indexOf(' ') >= 0) {
      throw new IllegalArgumentException("A name in a key bundle has a blank; use one word.");
    }
    requireLine(word);
  }

  private static void requireLine(String text) {
    StrictUtf8.encode(text, "text in a key bundle", MAX_TEXT_BYTES);
    if (CharMatcher.javaIsoControl().matchesAnyOf(text)) {
      throw new IllegalArgumentException(
          "A text in a key bundle has a control character; remove it.");
    }
  }
}
