package io.testudo.bench.results;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;

/** Results as a bench would leave them. */
public final class SampleResults {
  private SampleResults() {}

  public static RunFacts run(String command) {
    return new RunFacts(
        command,
        ImmutableMap.of("--clients", "1,8"),
        "0.1.0",
        "0123456789ab",
        "2026-01-02T03:04:05Z",
        12.5,
        2,
        8_192,
        "OpenJDK 17",
        "Linux",
        0.03);
  }

  public static ResultCase timed(String use, int clients, Metric... metrics) {
    return new ResultCase(
        "lock",
        "contended",
        ImmutableMap.of("system", "testudo", "use", use, "clients", String.valueOf(clients)),
        ImmutableMap.of("rounds", "3"),
        false,
        0.03,
        ImmutableList.copyOf(metrics));
  }

  public static ResultCase virtual(int clients, double messages) {
    return new ResultCase(
        "contention",
        "object",
        ImmutableMap.of("clients", String.valueOf(clients)),
        ImmutableMap.of(),
        true,
        null,
        ImmutableList.of(
            Metric.exact("messagesPerOperation", "messages", Better.LOWER, messages, true)));
  }

  public static Metric rate(double... rounds) {
    return Metric.ofRounds("opsPerSecond", "1/s", Better.HIGHER, rounds);
  }

  public static Metric median(double... rounds) {
    return Metric.ofRounds("p50Micros", "us", Better.LOWER, rounds);
  }

  public static Metric tail(double... rounds) {
    return Metric.ofRounds("p99Micros", "us", Better.LOWER, rounds);
  }

  public static Metric ratioToPing(double... rounds) {
    return Metric.ofRounds("opsRatioToPing", "ratio", Better.HIGHER, rounds);
  }

  public static BenchResults of(ResultCase... cases) {
    return new BenchResults(
        ImmutableList.of(run("testudo bench lock --quick")),
        ImmutableList.of(
            new AimVerdict("never two inside at once", true, "0 overlaps"),
            new AimVerdict("a quiet machine", false, "40 %")),
        ImmutableList.copyOf(cases));
  }

  /** A page's worth. */
  public static BenchResults usual() {
    return of(
        timed("async", 1, rate(100, 110, 90), median(5, 6, 7)),
        timed("async", 8, rate(200, 210, 190), median(15, 16, 17)),
        timed("blocking", 1, rate(80, 81, 82), median(8, 8, 8)),
        timed("blocking", 8, rate(90, 91, 95), median(30, 31, 39)),
        new ResultCase(
            "contention",
            "object",
            ImmutableMap.of("clients", "2"),
            ImmutableMap.of(),
            true,
            null,
            ImmutableList.of(
                new Metric(
                    "opsPerRoundTrip",
                    "1/round trip",
                    Better.HIGHER,
                    1.5,
                    1.5,
                    1.5,
                    ImmutableDoubleArray.of(),
                    true))));
  }
}
