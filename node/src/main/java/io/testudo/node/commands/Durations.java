package io.testudo.node.commands;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: 500ms, 10s, 1.5m, 2h. */
public final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h)");

  /** For picocli. */
  public Durations() {}

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text);
    }
    try {
      BigDecimal nanos = new BigDecimal(form.group(1)).multiply(unit(form.group(2)));
      return Duration.ofNanos(nanos.longValueExact());
    } catch (ArithmeticException e) {
      throw wrong(text);
    }
  }

  private static BigDecimal unit(String name) {
    return BigDecimal.valueOf(
        switch (name) {
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        });
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'%s' is no time; write it as 500ms, 10s, 2m or 1h".formatted(text));
  }
}
