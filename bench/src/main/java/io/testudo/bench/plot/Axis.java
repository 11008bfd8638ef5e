package io.testudo.bench.plot;

import com.google.common.collect.ImmutableList;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/**
 * Where figures lie between the ends of an axis, and where it is marked. Figures that differ by
 * magnitudes are drawn by their logarithms.
 */
final class Axis {
  private static final double MAGNITUDES = 20;
  private static final int MOST_TICKS = 6;
  private static final int MOST_OWN_TICKS = 10;
  private static final double[] STEPS = {1, 2, 5, 10};

  private final boolean logarithmic;
  private final double low;
  private final double high;
  private final ImmutableList<Double> ticks;

  private Axis(boolean logarithmic, double low, double high, ImmutableList<Double> ticks) {
    this.logarithmic = logarithmic;
    this.low = low;
    this.high = high;
    this.ticks = ticks;
  }

  /** For what was measured: from 0 on, or in powers of ten. */
  static Axis ofFigures(double[] values, Chart.Scale scale) {
    double most = DoubleStream.of(values).max().orElse(1);
    double least = DoubleStream.of(values).min().orElse(0);
    return switch (scale) {
      case LOGARITHMIC -> powers(least, most);
      case AUTOMATIC ->
          least > 0 && most / least > MAGNITUDES ? powers(least, most) : linear(least, most);
      case LINEAR -> linear(least, most);
    };
  }

  private static Axis linear(double least, double most) {
    double step = niceStep(Math.max(most - Math.min(0, least), Double.MIN_NORMAL) / MOST_TICKS);
    double high = Math.max(1, Math.ceil(most / step - 1e-9)) * step;
    double low = least < 0 ? Math.floor(least / step) * step : 0;
    ImmutableList.Builder<Double> ticks = ImmutableList.builder();
    for (double tick = low; tick <= high + step / 2; tick += step) {
      ticks.add(tick);
    }
    return new Axis(false, low, high, ticks.build());
  }

  /** For what was chosen, such as numbers of clients: marked where they are, if they are few. */
  static Axis ofChoices(double[] values, Chart.Scale scale) {
    TreeSet<Double> distinct = new TreeSet<>();
    DoubleStream.of(values).forEach(distinct::add);
    double least = distinct.first();
    double most = distinct.last();
    boolean isLogarithmic =
        scale == Chart.Scale.LOGARITHMIC
            || (scale == Chart.Scale.AUTOMATIC && least > 0 && most / least >= 8);
    if (scale == Chart.Scale.LINEAR) {
      return linear(least, most);
    }
    if (distinct.size() > MOST_OWN_TICKS) {
      return isLogarithmic ? doublings(least, most) : linear(least, most);
    }
    double low = scaled(isLogarithmic, least);
    double high = scaled(isLogarithmic, most);
    return new Axis(
        isLogarithmic, low, high > low ? high : low + 1, ImmutableList.copyOf(distinct));
  }

  /** From the least to the most, marked at powers of two. */
  private static Axis doublings(double least, double most) {
    int first = (int) Math.ceil(Math.log(least) / Math.log(2) - 1e-9);
    int last = (int) Math.floor(Math.log(most) / Math.log(2) + 1e-9);
    int step = Math.max(1, (last - first + MOST_TICKS) / (MOST_TICKS + 1));
    ImmutableList.Builder<Double> ticks = ImmutableList.builder();
    for (int power = first; power <= last; power += step) {
      ticks.add(Math.pow(2, power));
    }
    return new Axis(true, Math.log10(least), Math.log10(most), ticks.build());
  }

  private static Axis powers(double least, double most) {
    double low = Math.floor(Math.log10(least));
    double high = Math.ceil(Math.log10(most));
    double step = Math.max(1, Math.ceil((high - low) / MOST_TICKS));
    ImmutableList.Builder<Double> ticks = ImmutableList.builder();
    for (double power = low; power <= high; power += step) {
      ticks.add(Math.pow(10, power));
    }
    return new Axis(true, low, Math.max(high, low + 1), ticks.build());
  }

  /** From 0 at the low end to 1 at the high end. */
  double share(double value) {
    return (scaled(logarithmic, value) - low) / (high - low);
  }

  ImmutableList<Double> ticks() {
    return ticks;
  }

  private static double scaled(boolean logarithmic, double value) {
    return logarithmic ? Math.log10(value) : value;
  }

  /** The next of 1, 2, 5, 10, 20, ... */
  private static double niceStep(double atLeast) {
    double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
    for (double factor : STEPS) {
      if (factor * power >= atLeast) {
        return factor * power;
      }
    }
    return STEPS[STEPS.length - 1] * power;
  }
}
