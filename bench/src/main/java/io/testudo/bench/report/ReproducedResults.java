package io.testudo.bench.report;

import com.google.common.collect.ImmutableMap;
import io.testudo.node.Output;
import io.testudo.node.Reproduction;

/** Results of {@code testudo simulate --reproduce}, whose command belongs to another module. */
public final class ReproducedResults {
  private ReproducedResults() {}

  /** When it begins. */
  public static RunRecord begin(String protocol, Reproduction.Settings settings) {
    return new RunRecord(
        "testudo simulate --protocol %s --reproduce --seed %d%s"
            .formatted(protocol, settings.seed(), settings.quick() ? " --quick" : ""),
        ImmutableMap.of("--protocol", protocol, "--seed", String.valueOf(settings.seed())));
  }

  /** When its figures are there. The page goes where the plots go. */
  public static BenchOutput open(RunRecord run, Reproduction.Settings settings, Output output) {
    return BenchOutput.to(output, settings.figures().orElse(null), run, true);
  }
}
