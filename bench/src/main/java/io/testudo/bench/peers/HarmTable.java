package io.testudo.bench.peers;

import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.peers.HarmCases.HarmCase;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.RowFields;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Rows for programs and lines for people: what became of systems of which a server was harmed. */
final class HarmTable {
  private HarmTable() {}

  static String heading() {
    return line(
        "system",
        "case",
        "harm",
        "before/s",
        "during",
        "after",
        "gap ms",
        "normal s",
        "mended s",
        "failed",
        "broken");
  }

  static String line(HarmCase one, HarmFigures figures) {
    return line(
        one.peer().name(),
        PeerWork.word(one.work().kind()),
        PeerWork.word(one.harm()),
        Columns.rate(figures.opsPerSecondBefore()),
        ratio(figures.during()),
        ratio(figures.after()),
        String.format(Locale.ROOT, "%,.0f", figures.longestGapMillis()),
        seconds(figures.secondsToNormal()),
        seconds(figures.secondsToNormalAfter()),
        figures.record().failed()
            + (figures.record().hung() == 0 ? "" : "+" + figures.record().hung()),
        figures.record().violations());
  }

  static String failure(HarmCase one, String why) {
    return String.format(
        Locale.ROOT,
        "%-15s %-9s  %-5s failed: %s",
        one.peer().name(),
        PeerWork.word(one.work().kind()),
        PeerWork.word(one.harm()),
        why);
  }

  /** What the columns are. */
  static String legend() {
    return """

        before/s: operations a second before the harm; during, after: the rate then, to that before
        gap: the longest time without an answer since the harm began
        normal, mended: until %.0f %% of the rate before, under the harm and once it is over; - is never
        failed: calls that ended with an error (+ callers that never came back)
        broken: promises, such as two inside of one lock, or increments that were answered and are gone"""
        .formatted(HarmFigures.NORMAL * 100);
  }

  private static String line(Object... values) {
    return String.format(Locale.ROOT, "%-15s %-9s  %-5s %9s %7s %7s %8s %9s %9s %7s %7s", values)
        .stripTrailing();
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String seconds(OptionalDouble seconds) {
    return seconds.isPresent() ? String.format(Locale.ROOT, "%.1f", seconds.getAsDouble()) : "-";
  }

  /**
   * A row of the output contract.
   *
   * @param figures null if there are none
   * @param failure why; null if there are
   */
  static Map<String, Object> fields(
      HarmCase one,
      String version,
      @Nullable HarmFigures figures,
      @Nullable String failure,
      @Nullable Double otherCpuShare,
      MachineFacts machine) {
    Peer peer = one.peer();
    PeerWork work = one.work();
    RowFields fields =
        new RowFields()
            .with("bench", "faults")
            .with("case", PeerWork.word(work.kind()))
            .with("system", peer.name())
            .with("version", version)
            .with("harm", PeerWork.word(one.harm()))
            .with("servers", peer.servers())
            .with("durability", peer.durability(work.kind()).word())
            .with("replication", peer.replication())
            .with("faults", peer.faults())
            .with("clients", work.callers())
            .with("locks", work.kind() == PeerWork.Kind.LOCK ? (Integer) work.objects() : null)
            .with("use", PeerWork.word(work.use()))
            .with("sharing", PeerWork.word(work.sharing()))
            .with("failure", failure);
    if (figures != null) {
      fields
          .with("opsPerSecondBefore", RowFields.tenths(figures.opsPerSecondBefore()))
          .with("opsRatioDuring", RowFields.thousandths(figures.during()))
          .with("opsRatioAfter", RowFields.thousandths(figures.after()))
          .with("p99Micros", RowFields.tenths(figures.p99BeforeMicros()))
          .with("p99RatioDuring", thousandths(figures.tailDuring()))
          .with("p99RatioAfter", thousandths(figures.tailAfter()))
          .with("gapBeforeMillis", RowFields.tenths(figures.gapBeforeMillis()))
          .with("longestGapMillis", RowFields.tenths(figures.longestGapMillis()))
          .with("secondsToNormal", thousandths(figures.secondsToNormal()))
          .with("secondsToNormalAfter", thousandths(figures.secondsToNormalAfter()))
          .with("failed", figures.record().failed())
          .with("violations", figures.record().violations())
          .with("hung", figures.record().hung())
          .with("otherCpuShare", otherCpuShare);
    }
    return fields.withMachine(machine).toMap();
  }

  private static @Nullable Double thousandths(OptionalDouble value) {
    return value.isPresent() ? (Double) RowFields.thousandths(value.getAsDouble()) : null;
  }
}
