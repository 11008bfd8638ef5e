package io.testudo.bench.contention;

import com.google.common.collect.ImmutableList;

/** One curve: a variant with growing numbers of contenders, among so many idle clients. */
record Curve(Variant variant, int idleClients, ImmutableList<CurvePoint> points) {
  /** Whether all runs of all points ended. */
  boolean ended() {
    return points.stream().allMatch(point -> point.amortisedUnits() != null);
  }
}
