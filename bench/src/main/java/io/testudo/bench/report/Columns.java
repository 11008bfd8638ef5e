package io.testudo.bench.report;

import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Result;
import io.testudo.bench.measure.Spread;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures for people. */
public final class Columns {
  private Columns() {}

  public static String rate(double perSecond) {
    return String.format(Locale.ROOT, "%,.0f", perSecond);
  }

  public static String range(Spread rates) {
    return String.format(Locale.ROOT, "(%,.0f .. %,.0f)", rates.low(), rates.high());
  }

  public static String micros(double micros) {
    return String.format(Locale.ROOT, "%,.1f", micros);
  }

  /** Empty where there is nothing to compare with. */
  public static String ratio(Spread figure, Spread other) {
    return ratio(RowFields.ratio(figure, other));
  }

  static String ratio(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, "%.2f", ratio);
  }

  /** Tells a person who reads a figure that others disturbed, if they did. */
  public static void warnIfDisturbed(PrintWriter err, Result result, String title) {
    double share = result.otherCpuShare().orElse(0);
    if (share > OtherLoad.WARNING_SHARE) {
      err.printf(
          Locale.ROOT,
          "warning: %sother processes took %.0f %% of the machine: measure again when it is"
              + " quiet%n",
          title,
          share * 100);
    }
  }
}
