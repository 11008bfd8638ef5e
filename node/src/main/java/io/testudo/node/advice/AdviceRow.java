package io.testudo.node.advice;

import io.testudo.quorum.Thresholds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A candidate as a row of the output; what does not apply is null, and absent. */
record AdviceRow(
    String advice,
    String backend,
    String mode,
    boolean fits,
    boolean recommended,
    String why,
    int servers,
    int byzantine,
    int crashes,
    int contenders,
    double rttMillis,
    double holdMillis,
    @Nullable Integer leastServers,
    @Nullable Integer asked,
    @Nullable Integer grants,
    @Nullable Double aloneMillis,
    @Nullable Double turnMillis,
    @Nullable Double meanWaitMillis,
    @Nullable Double longestWaitMillis,
    @Nullable Double messagesPerTurn,
    @Nullable Double exclusionRisk,
    @Nullable Double serverLifeSeconds,
    @Nullable String config) {
  private static final String FORMAT = "%-2s%-8s %-14s %-9s %8s %8s %10s %10s %9s %9s  %s";

  static AdviceRow of(Deployment wish, Candidate candidate, boolean recommended, String config) {
    Thresholds thresholds = candidate.thresholds();
    Prediction prediction = candidate.prediction();
    return new AdviceRow(
        "lock",
        candidate.backend(),
        candidate.need().modeName(),
        candidate.fits(),
        recommended,
        candidate.fits() ? candidate.why() : candidate.whyNot(),
        wish.servers(),
        wish.liars(),
        wish.away(),
        wish.contenders(),
        wish.rttMillis(),
        wish.holdMillis(),
        candidate.leastServers() == 0 ? null : (Integer) candidate.leastServers(),
        thresholds == null ? null : (Integer) thresholds.asked(),
        thresholds == null ? null : (Integer) thresholds.consents(),
        prediction == null ? null : (Double) prediction.aloneMillis(),
        prediction == null ? null : (Double) prediction.turnMillis(),
        prediction == null ? null : (Double) prediction.meanWaitMillis(),
        prediction == null ? null : (Double) prediction.longestWaitMillis(),
        prediction == null ? null : (Double) prediction.messagesPerTurn(),
        prediction == null ? null : (Double) candidate.risk(),
        prediction == null ? null : (Double) wish.serverLifeSeconds(),
        recommended ? config : null);
  }

  static String heading() {
    return String.format(
        Locale.ROOT,
        FORMAT,
        "",
        "backend",
        "servers",
        "grants",
        "alone",
        "a turn",
        "mean wait",
        "the last",
        "messages",
        "risk",
        "");
  }

  /** The same for people. */
  String line() {
    String mark = recommended ? "*" : "";
    if (!fits) {
      return String.format(Locale.ROOT, "%-2s%-8s %-14s %s", mark, backend, mode, why);
    }
    return String.format(
        Locale.ROOT,
        FORMAT,
        mark,
        backend,
        mode,
        "%d of %d".formatted(grants, asked),
        millis(aloneMillis),
        millis(turnMillis),
        millis(meanWaitMillis),
        millis(longestWaitMillis),
        number(messagesPerTurn),
        risk(),
        why);
  }

  String risk() {
    return exclusionRisk == null || exclusionRisk == 0
        ? "none"
        : String.format(Locale.ROOT, "%.1e", exclusionRisk);
  }

  private static String millis(@Nullable Double millis) {
    return number(millis) + " ms";
  }

  private static String number(@Nullable Double value) {
    return String.format(Locale.ROOT, value != null && value < 10 ? "%.1f" : "%,.0f", value);
  }
}
