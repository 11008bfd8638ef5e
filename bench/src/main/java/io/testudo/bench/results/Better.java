package io.testudo.bench.results;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** In which direction a figure is better. */
public enum Better {
  HIGHER,
  LOWER,
  /** A figure that goes with the others, such as the rate of what they are compared with. */
  NEITHER;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Better> ofWord(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}
