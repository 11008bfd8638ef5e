package io.testudo.bench.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Figures for people: three digits that count, and no more. */
public final class Numbers {
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);
  private static final double THOUSAND = 1_000;
  private static final double TINY = 1e-4;

  private Numbers() {}

  /** As in a table: {@code 1,234,567}, {@code 56.7}, {@code 0.0123}. */
  public static String full(double value) {
    if (value == 0) {
      return "0";
    }
    if (Math.abs(value) >= THOUSAND || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (Math.abs(value) < TINY) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    return BigDecimal.valueOf(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** As at an axis: {@code 1.2M}, {@code 50k}. */
  static String brief(double value) {
    double size = Math.abs(value);
    if (size >= THOUSAND * THOUSAND * THOUSAND) {
      return full(value / (THOUSAND * THOUSAND * THOUSAND)) + "G";
    }
    if (size >= THOUSAND * THOUSAND) {
      return full(value / (THOUSAND * THOUSAND)) + "M";
    }
    return size >= 10 * THOUSAND ? full(value / THOUSAND) + "k" : full(value);
  }
}
