package io.testudo.bench.reproduce;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.spi.Entropy;
import java.util.Locale;

/** How long messages take one way: fixed for a pair of client and server, uniform over pairs. */
record Latency(double lowMillis, double highMillis) {
  private static final double NANOS_PER_MILLI = 1e6;

  Latency {
    checkArgument(
        lowMillis >= 0 && highMillis > lowMillis,
        "latencies from %s to %s ms make no sense",
        lowMillis,
        highMillis);
  }

  long drawNanos(Entropy entropy) {
    double millis = lowMillis + (highMillis - lowMillis) * entropy.nextDouble();
    return (long) (millis * NANOS_PER_MILLI);
  }

  long highNanos() {
    return (long) (highMillis * NANOS_PER_MILLI);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "(%.0f,%.0f)", lowMillis, highMillis);
  }
}
