package io.testudo.bench.results;

import com.google.common.collect.ImmutableMap;
import java.util.Locale;
import java.util.Map;

/** Names of fields for people. */
public final class Words {
  private static final ImmutableMap<String, String> UNITS =
      ImmutableMap.of("Millis", "ms", "Micros", "us", "Seconds", "s", "Bytes", "bytes");

  private Words() {}

  /** A key with its value, such as {@code round trip 0.1 ms}. */
  public static String of(String key, String value) {
    for (Map.Entry<String, String> unit : UNITS.entrySet()) {
      if (key.endsWith(unit.getKey()) && !key.equals(unit.getKey())) {
        String name = key.substring(0, key.length() - unit.getKey().length());
        return "%s %s %s".formatted(of(name), value, unit.getValue());
      }
    }
    return of(key) + " " + value;
  }

  /** {@code idleClients} as {@code idle clients}. */
  public static String of(String camelCase) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < camelCase.length(); i++) {
      char letter = camelCase.charAt(i);
      if (Character.isUpperCase(letter)) {
        words.append(' ').append(Character.toLowerCase(letter));
      } else {
        words.append(letter);
      }
    }
    return words.toString().toLowerCase(Locale.ROOT);
  }
}
