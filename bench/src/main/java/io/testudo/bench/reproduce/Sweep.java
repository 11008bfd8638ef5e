package io.testudo.bench.reproduce;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.reproduce.Claims.OfLatency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Entries a second as requests grow, of one protocol: figures 3 and 7 of the 2004 paper. */
final class Sweep {
  private static final double SATURATION_TOLERANCE = 0.03;

  /** So much more than saturation is past it for sure, whatever chance does to arrivals. */
  private static final double PAST = 1.1;

  /** Below this share of the requests, the run has collapsed. */
  private static final double COLLAPSED = 0.5;

  /** When a run collapses is a matter of chance; so the rate may be a little higher. */
  private static final double COLLAPSE_TOLERANCE = 1.3;

  private final String protocol;
  private final List<Curve> curves = new ArrayList<>();

  /** The curve of one range of latencies. */
  record Curve(OfLatency claims, ImmutableList<At> points) {
    double theory() {
      return Theory.saturationPerSecond(claims.latency(), Models.THRESHOLDS);
    }
  }

  /** One run. */
  record At(double rate, Supplier<Figures> figures) {
    double perSecond() {
      return figures.get().perSecond();
    }
  }

  private Sweep(String protocol) {
    this.protocol = protocol;
  }

  static Sweep ofSigma(ReproductionPlan plan, Models models, Jobs jobs) {
    Sweep sweep = new Sweep("sigma");
    for (OfLatency claims : Claims.LATENCIES) {
      ImmutableList.Builder<At> points = ImmutableList.builder();
      plan.sigmaRates()
          .forEach(
              rate ->
                  points.add(
                      new At(
                          rate,
                          jobs.add(
                              rate * rate,
                              () ->
                                  models
                                      .sigma(claims.latency(), (long) (100 * rate))
                                      .open(
                                          rate,
                                          plan.warmUpSeconds(),
                                          plan.seconds(),
                                          Integer.MAX_VALUE)))));
      sweep.curves.add(new Curve(claims, points.build()));
    }
    return sweep;
  }

  static Sweep ofStrawman(ReproductionPlan plan, Models models, Jobs jobs) {
    Sweep sweep = new Sweep("strawman");
    for (OfLatency claims : Claims.LATENCIES) {
      ImmutableList.Builder<At> points = ImmutableList.builder();
      plan.strawmanRates()
          .forEach(
              rate ->
                  points.add(
                      new At(
                          rate,
                          jobs.add(
                              rate,
                              () ->
                                  models
                                      .strawman(claims.latency(), (long) (100 * rate))
                                      .open(
                                          rate,
                                          plan.collapseSeconds(),
                                          plan.strawmanSeconds(),
                                          plan.maxWaiting())))));
      sweep.curves.add(new Curve(claims, points.build()));
    }
    return sweep;
  }

  /** Linear up to saturation, and flat past it. */
  Table saturation() {
    Table table =
        new Table(
            "saturation",
            "Sigma: entries a second, by requests a second",
            heading("theory", "claimed"));
    for (Curve curve : curves) {
      double theory = curve.theory();
      boolean all = true;
      for (At at : curve.points()) {
        Table.Row row =
            row(table, curve, at).theory(theory).claimed(curve.claims().saturationPerSecond());
        if (at.rate() > PAST * theory) {
          boolean holds = Table.near(at.perSecond(), theory, SATURATION_TOLERANCE);
          String unused = row.holds(holds);
          all &= holds;
        } else {
          row.shown();
        }
      }
      table.line(
          "%s %8.2f %8.2f  %s",
          figures(curve), theory, curve.claims().saturationPerSecond(), Table.verdict(all));
    }
    return table;
  }

  /** Beyond some rate hardly anybody enters. */
  Table collapse() {
    Table table =
        new Table(
            "collapse",
            "Strawman: entries a second, by requests a second; collapses at",
            heading("here", "claimed"));
    for (Curve curve : curves) {
      for (At at : curve.points()) {
        row(table, curve, at).shown();
      }
      double from =
          curve.points().stream()
              .filter(at -> at.perSecond() < COLLAPSED * at.rate())
              .mapToDouble(At::rate)
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      double claimed = curve.claims().collapsePerSecond();
      // Once it has collapsed, no higher rate may mend it.
      boolean staysSo =
          curve.points().stream()
              .filter(at -> at.rate() > from)
              .allMatch(at -> at.perSecond() < COLLAPSED * at.rate());
      String verdict =
          table
              .row(protocol, "collapsePerSecond", from)
              .at(curve.claims().latency())
              .claimed(claimed)
              .holds(from <= COLLAPSE_TOLERANCE * claimed && staysSo);
      table.line("%s %8.2f %8.2f  %s", figures(curve), from, claimed, verdict);
    }
    return table;
  }

  /** The run of the widest latencies at a rate. */
  At ofWidest(double rate) {
    return curves.get(curves.size() - 1).points().stream()
        .filter(at -> at.rate() == rate)
        .findFirst()
        .orElseThrow();
  }

  ImmutableList<Series> series() {
    return curves.stream()
        .map(
            curve ->
                new Series(
                    protocol + " " + curve.claims().latency(),
                    curve.points().stream()
                        .map(at -> Point.exact(at.rate(), at.perSecond()))
                        .collect(ImmutableList.toImmutableList()),
                    false))
        .collect(ImmutableList.toImmutableList());
  }

  /** What Sigma could reach at most. */
  ImmutableList<Series> theorySeries() {
    return curves.stream()
        .map(
            curve ->
                new Series(
                    "saturation, theory " + curve.claims().latency(),
                    ImmutableList.of(
                        Point.exact(0, curve.theory()),
                        Point.exact(ReproductionPlan.HIGHEST_RATE, curve.theory())),
                    true))
        .collect(ImmutableList.toImmutableList());
  }

  private Table.Row row(Table table, Curve curve, At at) {
    return table
        .row(protocol, "entriesPerSecond", at.perSecond())
        .at(curve.claims().latency())
        .rate(at.rate())
        .with(at.figures().get());
  }

  private String heading(String last, String claimed) {
    StringBuilder heading = new StringBuilder(String.format(Locale.ROOT, "%-10s", "latency"));
    for (At at : curves.get(0).points()) {
      heading.append(String.format(Locale.ROOT, " %6s", rate(at.rate())));
    }
    return heading.append(String.format(Locale.ROOT, " %8s %8s", last, claimed)).toString();
  }

  private static String rate(double rate) {
    return rate == Math.rint(rate)
        ? String.format(Locale.ROOT, "%.0f", rate)
        : String.format(Locale.ROOT, "%s", rate);
  }

  private static String figures(Curve curve) {
    StringBuilder line =
        new StringBuilder(String.format(Locale.ROOT, "%-10s", curve.claims().latency()));
    for (At at : curve.points()) {
      line.append(String.format(Locale.ROOT, " %6.2f", at.perSecond()));
    }
    return line.toString();
  }
}
