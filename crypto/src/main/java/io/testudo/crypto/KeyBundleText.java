package io.testudo.crypto;

import com.google.common.collect.ImmutableSortedMap;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;

/**
 * The text of a key bundle: lines of UTF-8, each ended by a line feed. The last one is a checksum
 * over all before it.
 *
 * <pre>
 * testudo-keys 1
 * kind client-keys
 * fact cluster demo
 * key BASE64 server:s0
 * check 0123456789abcdef
 * </pre>
 *
 * <p>Keys are handled as bytes throughout: a String can't be wiped.
 */
final class KeyBundleText {
  private static final String FIRST_LINE = "testudo-keys 1\n";
  private static final String CHECK_PURPOSE = "testudo-key-bundle-check-v1";
  private static final int CHECK_BYTES = 8;
  private static final byte[] KEY = "key ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FACT = "fact ".getBytes(StandardCharsets.US_ASCII);

  private KeyBundleText() {}

  static byte[] encode(KeyBundle bundle) {
    WipedOutput text = new WipedOutput();
    text.write(FIRST_LINE + "kind " + bundle.kind() + "\n");
    for (Map.Entry<String, String> fact : bundle.facts().entrySet()) {
      text.write("fact " + fact.getKey() + " " + fact.getValue() + "\n");
    }
    for (Map.Entry<String, SecretBytes> key : bundle.keys().entrySet()) {
      byte[] raw = key.getValue().copy();
      byte[] data = Base64.getEncoder().encode(raw);
      text.writeBytes(KEY);
      text.writeBytes(data);
      text.write(" " + key.getKey() + "\n");
      SecretBytes.wipe(raw);
      SecretBytes.wipe(data);
    }
    byte[] checked = text.toByteArray();
    text.write("check " + check(checked) + "\n");
    SecretBytes.wipe(checked);
    byte[] whole = text.toByteArray();
    text.wipe();
    return whole;
  }

  static KeyBundle decode(byte[] text, String kind, Path file) throws KeyFileException {
    byte[] first = FIRST_LINE.getBytes(StandardCharsets.US_ASCII);
    if (!startsWith(text, 0, first)) {
      throw new KeyFileException(
          "%s is no Testudo key bundle of this version; name the right file.".formatted(file));
    }
    byte[] kindLine = ("kind " + kind + "\n").getBytes(StandardCharsets.UTF_8);
    if (!startsWith(text, first.length, kindLine)) {
      throw new KeyFileException("%s does not hold %s; name the right file.".formatted(file, kind));
    }
    try {
      KeyBundle bundle = entries(text, first.length + kindLine.length, kind);
      // Writing it again leaves no room for damage, another spelling or anything left over.
      byte[] rewritten = encode(bundle);
      boolean same = ConstantTime.equal(text, rewritten);
      SecretBytes.wipe(rewritten);
      if (same) {
        return bundle;
      }
    } catch (IllegalArgumentException e) {
      // Told below, without a cause: the decoder's message may quote a character of a key.
    }
    throw new KeyFileException(
        "%s is damaged; restore it from a copy or have the keys made anew.".formatted(file));
  }

  private static KeyBundle entries(byte[] text, int from, String kind) {
    ImmutableSortedMap.Builder<String, String> facts =
        new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
    ImmutableSortedMap.Builder<String, SecretBytes> keys =
        new ImmutableSortedMap.Builder<>(Comparator.<String>naturalOrder());
    int start = from;
    int count = 0;
    while (startsWith(text, start, FACT) || startsWith(text, start, KEY)) {
      boolean isKey = startsWith(text, start, KEY);
      int end = indexOf(text, '\n', start);
      int nameStart = start + (isKey ? KEY.length : FACT.length);
      int blank = indexOf(text, ' ', nameStart);
      if (blank > end || ++count > KeyBundle.MAX_ENTRIES) {
        throw new IllegalArgumentException("A line has no second word, or there are too many.");
      }
      String rest = text(text, blank + 1, end);
      if (isKey) {
        keys.put(rest, secret(text, nameStart, blank));
      } else {
        facts.put(text(text, nameStart, blank), rest);
      }
      start = end + 1;
    }
    return new KeyBundle(kind, facts.buildOrThrow(), keys.buildOrThrow());
  }

  private static SecretBytes secret(byte[] text, int from, int to) {
    byte[] data = Arrays.copyOfRange(text, from, to);
    try {
      return SecretBytes.adopt(Base64.getDecoder().decode(data));
    } finally {
      SecretBytes.wipe(data);
    }
  }

  private static String check(byte[] checked) {
    byte[] digest = Digest.builder(CHECK_PURPOSE).add(checked).build().toByteArray();
    return HexFormat.of().formatHex(digest, 0, CHECK_BYTES);
  }

  private static String text(byte[] text, int from, int to) {
    return new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  private static int indexOf(byte[] text, char wanted, int from) {
    for (int i = from; i < text.length; i++) {
      if (text[i] == wanted) {
        return i;
      }
    }
    throw new IllegalArgumentException("The text ends inside of a line.");
  }

  private static boolean startsWith(byte[] text, int from, byte[] prefix) {
    return text.length - from >= prefix.length
        && Arrays.equals(text, from, from + prefix.length, prefix, 0, prefix.length);
  }

  /** Grows without leaving copies behind it, as long as what is written fits at once. */
  private static final class WipedOutput extends ByteArrayOutputStream {
    WipedOutput() {
      super(KeyBundle.MAX_BYTES);
    }

    void write(String text) {
      writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void wipe() {
      SecretBytes.wipe(buf);
    }
  }
}
