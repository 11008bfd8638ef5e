package io.testudo.node.watch;

import io.testudo.client.cluster.ClusterView;
import io.testudo.client.inquiry.Suspect;
import io.testudo.client.inquiry.SuspectReport;
import io.testudo.client.status.ServerFault;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** What a principal reports of a server, as programs are told of it. */
public record ReportRow(
    String suspect, String reporter, String kind, long count, String detail, String lastTime) {
  public static ReportRow of(SuspectReport report) {
    return new ReportRow(
        report.suspect().server().toString(),
        report.reporter(),
        kindOf(report),
        report.suspect().count(),
        report.suspect().detail(),
        time(report));
  }

  /** What programs call its kind. */
  static String kindOf(SuspectReport report) {
    return report.suspect().kind().name().toLowerCase(Locale.ROOT);
  }

  /** When it was last reported. */
  public static String time(SuspectReport report) {
    return Instant.ofEpochMilli(report.lastWallMillis()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Whether enough say so, or who looks does. */
  public static boolean isBelieved(SuspectReport report, ClusterView view) {
    return report.suspect().kind() == Suspect.Kind.CONTRADICTION
        && view.servers()
            .get(report.suspect().server().index())
            .faults()
            .contains(ServerFault.CONTRADICTS);
  }
}
