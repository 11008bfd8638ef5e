package io.testudo.node.commands;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: 500ms, 10s, 1.5m, 2h. */
public final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ms|s|m|h)");
  private static final Map<String, Long> NANOS =
      Map.of("ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

  /** For picocli. */
  public Durations() {}

  @Override
  public Duration convert(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text);
    }
    try {
      BigDecimal nanos =
          new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(NANOS.get(form.group(2))));
      return Duration.ofNanos(nanos.longValueExact());
    } catch (ArithmeticException e) {
      throw wrong(text);
    }
  }

  private static TypeConversionException wrong(String text) {
    return new TypeConversionException(
        "'%s' is no time; write it as 500ms, 10s, 2m or 1h".formatted(text));
  }

  /** Short, for people. */
  static String show(Duration time) {
    long millis = time.toMillis();
    if (millis < 1_000 || millis % 1_000 != 0) {
      return millis + " ms";
    }
    return millis / 1_000 + " s";
  }
}
