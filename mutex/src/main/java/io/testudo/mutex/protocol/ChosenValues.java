package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a deployment has chosen about a lock protocol, as texts. Whatever cannot be is an {@link
 * IllegalArgumentException} that names the setting and what can be.
 */
public final class ChosenValues {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

  private final String protocol;
  private final ImmutableMap<String, String> texts;

  /**
   * Takes texts by the keys of {@link LockChoice}.
   *
   * @param protocol what configurations call it
   */
  public ChosenValues(String protocol, Map<String, String> texts) {
    this.protocol = protocol;
    this.texts = ImmutableMap.copyOf(texts);
  }

  /** A whole number, if one is chosen and not the word that stands for the usual one. */
  public Optional<Integer> number(String key, int least, int most, String usual) {
    String text = texts.getOrDefault(key, usual);
    if (text.equals(usual)) {
      return Optional.empty();
    }
    String expected = "'%s' or a whole number from %d to %d".formatted(usual, least, most);
    if (!text.matches("\\d{1,9}")) {
      throw wrong(key, text, expected);
    }
    int number = Integer.parseInt(text);
    if (number < least || number > most) {
      throw wrong(key, text, expected);
    }
    return Optional.of(number);
  }

  /** A number. */
  public double fraction(String key, double otherwise, double least, double most) {
    String text = texts.getOrDefault(key, Double.toString(otherwise));
    String expected = "a number from %s to %s".formatted(least, most);
    if (!text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      throw wrong(key, text, expected);
    }
    double number = Double.parseDouble(text);
    if (number < least || number > most) {
      throw wrong(key, text, expected);
    }
    return number;
  }

  /** A time, such as 500ms or 10s. */
  public Duration duration(String key, Duration otherwise, Duration least, Duration most) {
    String text = texts.get(key);
    if (text == null) {
      return otherwise;
    }
    String expected =
        "a time such as 500ms or 10s, from %d ms to %d ms"
            .formatted(least.toMillis(), most.toMillis());
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw wrong(key, text, expected);
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        };
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw wrong(key, text, expected);
    }
    return duration;
  }

  /** One of a few words, the first of which is the usual one. */
  public String word(String key, String... words) {
    String text = texts.getOrDefault(key, words[0]);
    if (!List.of(words).contains(text)) {
      throw wrong(key, text, "one of " + String.join(", ", words));
    }
    return text;
  }

  private IllegalArgumentException wrong(String key, String text, String expected) {
    return new IllegalArgumentException(
        "lock.%s.%s is '%s'; choose %s".formatted(protocol, key, text, expected));
  }
}
