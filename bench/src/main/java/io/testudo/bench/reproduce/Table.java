package io.testudo.bench.reproduce;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.BenchOutput;
import io.testudo.node.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table with its figures, for people and for programs. */
final class Table {
  private static final String NAME = "sigma";

  private final String name;
  private final String title;
  private final String heading;
  private final List<String> lines = new ArrayList<>();
  private final List<FigureRow> rows = new ArrayList<>();

  /**
   * Begins a table.
   *
   * @param name for programs
   */
  Table(String name, String title, String heading) {
    this.name = name;
    this.title = title;
    this.heading = heading;
  }

  void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  /** Starts a row. */
  Row row(String protocol, String figure, double measured) {
    return new Row(protocol, figure, measured);
  }

  void print(Output output) {
    if (output.isJson()) {
      rows.forEach(row -> output.row(row, ""));
      return;
    }
    output.text(title);
    output.text(heading);
    lines.forEach(output::text);
    output.text("");
  }

  ImmutableList<FigureRow> rows() {
    return ImmutableList.copyOf(rows);
  }

  boolean holds() {
    return rows.stream().allMatch(row -> row.holds() == null || row.holds());
  }

  /** One verdict for all claims of the table; none if there are no claims. */
  void judge(BenchOutput results) {
    List<FigureRow> claims = rows.stream().filter(row -> row.holds() != null).toList();
    long holding = claims.stream().filter(row -> Boolean.TRUE.equals(row.holds())).count();
    if (!claims.isEmpty()) {
      results.verdict(
          title,
          holding == claims.size(),
          "%d of %d claims hold".formatted(holding, claims.size()));
    }
  }

  static String verdict(boolean holds) {
    return holds ? "holds" : "DIFFERS";
  }

  /** Whether two figures differ by no more than a share of the second. */
  static boolean near(double measured, double expected, double tolerance) {
    return Math.abs(measured - expected) <= tolerance * expected;
  }

  /** What there is to say of one figure. */
  final class Row {
    private final String protocol;
    private final String figure;
    private final double measured;
    private int servers = Claims.SERVERS;
    private int grants = Claims.GRANTS;
    private @Nullable Latency latency;
    private @Nullable Double requestsPerSecond;
    private @Nullable Double serverLifeSeconds;
    private @Nullable Integer clients;
    private @Nullable Double theory;
    private @Nullable Double claimed;
    private @Nullable Double messagesPerEntry;
    private @Nullable Integer waiting;

    private Row(String protocol, String figure, double measured) {
      this.protocol = protocol;
      this.figure = figure;
      this.measured = measured;
    }

    Row of(int serverCount, int grantCount) {
      servers = serverCount;
      grants = grantCount;
      return this;
    }

    Row at(Latency range) {
      latency = range;
      return this;
    }

    Row rate(double perSecond) {
      requestsPerSecond = perSecond;
      return this;
    }

    Row life(double seconds) {
      serverLifeSeconds = Double.isInfinite(seconds) ? null : (Double) seconds;
      return this;
    }

    Row clients(int inAClosedLoop) {
      clients = inAClosedLoop;
      return this;
    }

    Row theory(double computed) {
      theory = computed;
      return this;
    }

    Row claimed(double figureOfPaper) {
      claimed = figureOfPaper;
      return this;
    }

    Row with(Figures figures) {
      messagesPerEntry = figures.entries() == 0 ? null : (Double) figures.messagesPerEntry();
      waiting = figures.waiting();
      return this;
    }

    /** Ends the row of a figure of which nothing is claimed. */
    void shown() {
      add(null);
    }

    /** Ends the row, and gives the verdict in a word. */
    String holds(boolean holds) {
      add(holds);
      return verdict(holds);
    }

    private void add(@Nullable Boolean holds) {
      rows.add(
          new FigureRow(
              NAME,
              name,
              protocol,
              figure,
              servers,
              grants,
              latency == null ? null : latency.toString(),
              requestsPerSecond,
              serverLifeSeconds,
              clients,
              measured,
              theory,
              claimed,
              messagesPerEntry,
              waiting,
              holds));
    }
  }
}
