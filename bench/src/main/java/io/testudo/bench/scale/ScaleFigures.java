package io.testudo.bench.scale;

import io.testudo.bench.report.RowFields;
import io.testudo.quorum.Access;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a case gave. Times are in round trips.
 *
 * @param quorum how many servers a quorum has
 * @param perRoundTrip operations of one client
 * @param messages of all servers and clients, for an operation
 * @param busiest messages that the server receives that receives most, for an operation
 */
record ScaleFigures(
    ScaleCase setup,
    int quorum,
    double perRoundTrip,
    double p50,
    double p99,
    double max,
    double messages,
    double busiest) {
  private static final String LINE = "%-8s%8s  %-10s%8s  %-8s%9s%9s%9s%9s%10s%10s%10s";

  static ScaleFigures of(
      ScaleCase setup,
      int quorum,
      double perRoundTrip,
      double[] waits,
      double messages,
      double busiest) {
    Arrays.sort(waits);
    return new ScaleFigures(
        setup,
        quorum,
        perRoundTrip,
        share(waits, 0.50),
        share(waits, 0.99),
        waits[waits.length - 1],
        messages,
        busiest);
  }

  private static double share(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, (long) (share * sorted.length))];
  }

  /**
   * As a row of the output contract.
   *
   * @param all what asking all servers gave; nothing for that itself
   */
  RowFields fields(@Nullable ScaleFigures all) {
    return new RowFields()
        .with("bench", "scale")
        .with("case", setup.subject().word())
        .with("servers", setup.servers())
        .with("byzantine", setup.byzantine())
        .with("access", setup.access() == Access.ALL ? "all" : "quorum")
        .with("quorums", setup.quorums().word())
        .with("quorum", quorum)
        .with("fault", setup.isSilent() ? "silent" : null)
        .with("opsPerRoundTrip", RowFields.thousandths(perRoundTrip))
        .with("p50RoundTrips", RowFields.thousandths(p50))
        .with("p99RoundTrips", RowFields.thousandths(p99))
        .with("maxRoundTrips", RowFields.thousandths(max))
        .with("messagesPerOperation", RowFields.thousandths(messages))
        .with("busiestMessagesPerOperation", RowFields.thousandths(busiest))
        .with(
            "busiestRatioToAll", all == null ? null : RowFields.thousandths(busiest / all.busiest));
  }

  static String heading() {
    return LINE.formatted(
        "case", "servers", "asked", "quorum", "fault", "ops/rtt", "p50 rtt", "p99 rtt", "max rtt",
        "msgs/op", "busiest", "to all");
  }

  String line(@Nullable ScaleFigures all) {
    return LINE.formatted(
        setup.subject().word(),
        setup.servers(),
        setup.accessWord(),
        quorum,
        setup.isSilent() ? "silent" : "",
        number(perRoundTrip),
        number(p50),
        number(p99),
        number(max),
        number(messages),
        number(busiest),
        all == null ? "" : number(busiest / all.busiest));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
  }
}
