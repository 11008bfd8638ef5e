package io.testudo.bench.results;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes cases of rows of the output contract. */
public final class RowCases {
  private static final String LOW = "Low";
  private static final String HIGH = "High";
  private static final String OTHER_CPU = "otherCpuShare";

  /**
   * The machine is the same in all rows of a run and told once; the other is a field of its own.
   */
  private static final ImmutableSet<String> TOLD_APART =
      ImmutableSet.of("cores", "memoryMebibytes", "jdk", "os", OTHER_CPU);

  /** How long and how often it was measured makes no other case. */
  private static final ImmutableSet<String> CONDITIONS =
      ImmutableSet.of(
          "rounds",
          "secondsPerRound",
          "seeds",
          "runs",
          "transport",
          "fileSystem",
          "ended",
          "holds");

  private RowCases() {}

  /**
   * The case of a row.
   *
   * @param rounds figures of each round, by their names, where they are known
   */
  public static ResultCase of(
      JsonObject row, Map<String, ImmutableDoubleArray> rounds, boolean virtual) {
    String bench = text(row, row.has("bench") ? "bench" : "reproduction");
    String name = text(row, row.has("case") ? "case" : "table");
    ImmutableMap.Builder<String, String> keys = ImmutableMap.builder();
    ImmutableMap.Builder<String, String> conditions = ImmutableMap.builder();
    ImmutableList.Builder<Metric> metrics = ImmutableList.builder();
    for (Map.Entry<String, JsonElement> field : row.entrySet()) {
      String key = field.getKey();
      if (isHeading(row, key) || TOLD_APART.contains(key) || isSpread(row, key)) {
        continue;
      }
      Optional<MetricKind> kind = MetricKind.of(key);
      if (kind.isPresent() && isNumber(field.getValue())) {
        metrics.add(
            metric(
                row,
                key,
                kind.get(),
                rounds.getOrDefault(key, ImmutableDoubleArray.of()),
                virtual));
      } else if (CONDITIONS.contains(key)) {
        conditions.put(key, plain(field.getValue()));
      } else {
        keys.put(key, plain(field.getValue()));
      }
    }
    return new ResultCase(
        bench,
        name,
        keys.buildOrThrow(),
        conditions.buildOrThrow(),
        virtual,
        row.has(OTHER_CPU) ? (Double) row.get(OTHER_CPU).getAsDouble() : null,
        metrics.build());
  }

  private static boolean isHeading(JsonObject row, String key) {
    return switch (key) {
      case "bench", "case" -> true;
      case "reproduction" -> !row.has("bench");
      case "table" -> !row.has("case");
      default -> false;
    };
  }

  /** {@code p50MicrosLow} beside {@code p50Micros}. */
  private static boolean isSpread(JsonObject row, String key) {
    return (key.endsWith(LOW) && row.has(key.substring(0, key.length() - LOW.length())))
        || (key.endsWith(HIGH) && row.has(key.substring(0, key.length() - HIGH.length())));
  }

  private static Metric metric(
      JsonObject row,
      String name,
      MetricKind kind,
      ImmutableDoubleArray rounds,
      boolean deterministic) {
    double value = row.get(name).getAsDouble();
    double low = number(row, name + LOW, rounds.stream().min().orElse(value));
    double high = number(row, name + HIGH, rounds.stream().max().orElse(value));
    return new Metric(
        name,
        kind.unit(),
        kind.better(),
        value,
        Math.min(low, value),
        Math.max(high, value),
        rounds,
        deterministic);
  }

  private static double number(JsonObject row, String name, double otherwise) {
    @Nullable JsonElement element = row.get(name);
    return element == null ? otherwise : element.getAsDouble();
  }

  private static boolean isNumber(JsonElement element) {
    return element.isJsonPrimitive() && element.getAsJsonPrimitive().isNumber();
  }

  private static String text(JsonObject row, String name) {
    @Nullable JsonElement element = row.get(name);
    return element == null ? "" : plain(element);
  }

  /** 4.0 and 4 are the same key. */
  private static String plain(JsonElement element) {
    if (isNumber(element)) {
      BigDecimal number = element.getAsBigDecimal();
      return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
    return element.isJsonPrimitive() ? element.getAsString() : element.toString();
  }
}
