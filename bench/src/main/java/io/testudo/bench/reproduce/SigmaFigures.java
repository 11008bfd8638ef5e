package io.testudo.bench.reproduce;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot;
import io.testudo.bench.plot.SvgPlot.Scale;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.ResetRisk;
import io.testudo.quorum.ServerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tables as plots. */
final class SigmaFigures {
  /** The least cluster in which one server may forget. */
  private static final int LEAST_SERVERS = 4;

  private SigmaFigures() {}

  static void write(Path directory, Sweep sigma, Sweep strawman, Table life) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("sigma-throughput.svg"),
        SvgPlot.svg(
            "Sigma reaches what theory allows and stays there; the strawman collapses",
            "requests a second",
            Scale.LINEAR,
            "entries a second",
            Scale.LINEAR,
            ImmutableList.<Series>builder()
                .addAll(sigma.series())
                .addAll(strawman.series())
                .addAll(sigma.theorySeries())
                .build()),
        UTF_8);
    Files.writeString(
        directory.resolve("sigma-server-life.svg"),
        SvgPlot.svg(
            "Servers that lose their memory",
            "mean life of a server, s",
            "entries a second",
            Scale.LINEAR,
            lifeSeries(life)),
        UTF_8);
    Files.writeString(
        directory.resolve("sigma-exclusion.svg"),
        SvgPlot.svg(
            "Probability that servers which forget break exclusion: its zeros",
            "servers n",
            "-log10 of the probability",
            Scale.LINEAR,
            ImmutableList.of(
                exclusionSeries("m = 2/3 n", 2, 3), exclusionSeries("m = 3/4 n", 3, 4))),
        UTF_8);
  }

  private static ImmutableList<Series> lifeSeries(Table life) {
    ImmutableList.Builder<Point> here = ImmutableList.builder();
    ImmutableList.Builder<Point> claimed = ImmutableList.builder();
    for (FigureRow row : life.rows()) {
      if (row.serverLifeSeconds() != null && row.claimed() != null) {
        here.add(Point.exact(row.serverLifeSeconds(), row.measured()));
        claimed.add(Point.exact(row.serverLifeSeconds(), row.claimed()));
      }
    }
    return ImmutableList.of(
        new Series("here", here.build(), false), new Series("claimed", claimed.build(), true));
  }

  /** By the formula, for a share of the servers that must grant. */
  private static Series exclusionSeries(String name, int of, int parts) {
    double forgets = Claims.HOLD_SECONDS / Claims.LIFE_SECONDS;
    ImmutableList.Builder<Point> points = ImmutableList.builder();
    for (int servers = LEAST_SERVERS; servers <= ServerId.MAX_SERVERS; servers *= 2) {
      int grants = (of * servers + parts - 1) / parts;
      int least = SigmaProtocol.CRASHES.thresholds(servers, 1).smallestQuorum();
      double risk =
          ResetRisk.amongGranters(Models.thresholds(servers, Math.max(least, grants)), forgets);
      points.add(Point.exact(servers, -Math.log10(risk)));
    }
    return new Series(name, points.build(), false);
  }
}
