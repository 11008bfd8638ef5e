package io.testudo.bench.report;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a row in each round, by the names that they have in the row. */
public final class Rounds {
  private final Map<String, ImmutableDoubleArray> figures = new LinkedHashMap<>();

  private Rounds() {}

  /** Of a row of which no rounds are known. */
  public static Rounds none() {
    return new Rounds();
  }

  public static Rounds of(Result result) {
    return none()
        .with("opsPerSecond", result.opsPerSecond().rounds())
        .with("p50Micros", result.p50Micros().rounds())
        .with("p99Micros", result.p99Micros().rounds());
  }

  public Rounds with(String name, ImmutableDoubleArray rounds) {
    if (!rounds.isEmpty()) {
      figures.put(name, rounds);
    }
    return this;
  }

  /**
   * Adds the ratios to what was measured in turn with it, each round beside the round of the other:
   * what slows the machine down for a while slows both.
   *
   * @param name of the other with a capital, as in {@code opsRatioToPing}
   */
  public Rounds beside(String name, Result result, Result other) {
    return with("opsRatioTo" + name, ratios(result.opsPerSecond(), other.opsPerSecond()))
        .with("p50RatioTo" + name, ratios(result.p50Micros(), other.p50Micros()));
  }

  private static ImmutableDoubleArray ratios(Spread figure, Spread other) {
    ImmutableDoubleArray.Builder ratios = ImmutableDoubleArray.builder();
    for (int i = 0; i < Math.min(figure.rounds().length(), other.rounds().length()); i++) {
      double divisor = other.rounds().get(i);
      if (!(divisor > 0)) {
        return ImmutableDoubleArray.of();
      }
      ratios.add(figure.rounds().get(i) / divisor);
    }
    return ratios.build();
  }

  ImmutableMap<String, ImmutableDoubleArray> byName() {
    return ImmutableMap.copyOf(figures);
  }
}
