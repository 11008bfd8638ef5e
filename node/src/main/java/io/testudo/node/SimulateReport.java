package io.testudo.node;

import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.FaultKind;
import io.testudo.quorum.sim.RunStats;
import io.testudo.quorum.sim.ScenarioResult;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a campaign found, for programs and for people. */
final class SimulateReport {
  /** Failing seeds that are named beside the first one. */
  private static final int MOST_OTHERS = 9;

  private final ScenarioSettings settings;
  private final Campaign.Report report;
  private final double seconds;
  private final Replay replay;

  /** Names the command that runs one seed again. */
  interface Replay {
    String command(ScenarioSettings settings, long seed);
  }

  /** The row of the output contract. */
  record Row(
      String protocol,
      String mode,
      int servers,
      int byzantine,
      int liars,
      @Nullable Integer resets,
      @Nullable Boolean quarantine,
      @Nullable String seals,
      @Nullable Boolean stolenKey,
      @Nullable String turns,
      long scenarios,
      long operations,
      long steps,
      long faults,
      Map<String, Long> faultsByKind,
      long liesTold,
      long liesCounted,
      long scenariosWithCountedLie,
      long scenariosWithFewFaults,
      long heaviestClientBytes,
      long violations,
      long safetyViolations,
      long livenessViolations,
      String messagesDigest,
      double seconds,
      @Nullable Long firstFailingSeed,
      @Nullable String firstViolation,
      @Nullable String replay) {}

  SimulateReport(ScenarioSettings settings, Campaign.Report report, double seconds, Replay replay) {
    this.settings = settings;
    this.report = report;
    this.seconds = seconds;
    this.replay = replay;
  }

  /**
   * Nothing broke within the bound, or safety did beyond it. That too many silent servers can stop
   * a cluster proves nothing of the checkers.
   */
  boolean isAsItMustBe() {
    if (settings.isWithinBound()) {
      return report.violations() == 0;
    }
    return report.violations(Kind.SAFETY) > 0 && report.violations(Kind.ERROR) == 0;
  }

  Row row() {
    RunStats stats = report.stats();
    Thresholds thresholds = settings.thresholds();
    @Nullable ScenarioResult first = first();
    return new Row(
        settings.protocol().name(),
        settings.mode(),
        thresholds.servers(),
        thresholds.faults(),
        settings.liars(),
        settings.protocol().hasResets() ? (Integer) settings.resets() : null,
        settings.protocol().hasResets() ? (Boolean) settings.quarantine() : null,
        hasSeals() ? settings.seals().scheme().schemeName() : null,
        settings.seals().stolen() ? (Boolean) true : null,
        settings.turns().isEmpty() ? null : settings.turns(),
        report.scenarios(),
        stats.operations(),
        stats.steps(),
        stats.faults().values().stream().mapToLong(Long::longValue).sum(),
        faultsByKind(stats),
        stats.liesTold(),
        stats.liesCounted(),
        report.withCountedLie(),
        report.withFewFaults(),
        stats.heaviestBytes(),
        report.violations(),
        report.violations(Kind.SAFETY),
        report.violations(Kind.LIVENESS),
        String.format(Locale.ROOT, "%016x", stats.messagesDigest()),
        Math.round(seconds * 1_000) / 1_000.0,
        first == null ? null : (Long) first.seed(),
        first == null ? null : message(first),
        first == null ? null : replay.command(settings, first.seed()));
  }

  /** The one that tells most: an error, else what breaks safety, else the lowest seed. */
  private @Nullable ScenarioResult first() {
    return report
        .firstFailure(Kind.ERROR)
        .or(() -> report.firstFailure(Kind.SAFETY))
        .or(report::firstFailure)
        .orElse(null);
  }

  private static String message(ScenarioResult failure) {
    return String.valueOf(failure.violation() == null ? null : failure.violation().getMessage());
  }

  private static Map<String, Long> faultsByKind(RunStats stats) {
    Map<String, Long> byKind = new TreeMap<>();
    stats.faults().forEach((kind, count) -> byKind.put(camelCase(kind), count));
    return byKind;
  }

  private static String camelCase(FaultKind kind) {
    String[] words = kind.name().toLowerCase(Locale.ROOT).split("_", -1);
    StringBuilder name = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return name.toString();
  }

  String text() {
    RunStats stats = report.stats();
    Thresholds thresholds = settings.thresholds();
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%s, mode %s%s%s: %d servers, %s=%d, of which %d lie%s%s",
        settings.protocol().name(),
        settings.mode(),
        hasSeals() ? ", seals " + settings.seals().scheme().schemeName() : "",
        settings.turns().isEmpty() ? "" : ", turns by " + settings.turns(),
        thresholds.servers(),
        thresholds.need().faultsLetter(),
        thresholds.faults(),
        settings.liars(),
        settings.seals().stolen() ? " and have a client's keys" : "",
        resetsInWords());
    line(
        text,
        "%,d scenarios in %.1f s (%,.0f a second): %,d operations, %,d steps",
        report.scenarios(),
        seconds,
        report.scenarios() / Math.max(seconds, 1e-9),
        stats.operations(),
        stats.steps());
    line(
        text,
        "lies: %,d told, %,d counted in a tally, in %,d scenarios",
        stats.liesTold(),
        stats.liesCounted(),
        report.withCountedLie());
    line(text, "faults: %s", faultsInWords(stats));
    if (stats.heaviestBytes() > 0) {
      line(text, "memory: about %,d bytes at the heaviest client or server", stats.heaviestBytes());
    }
    text.append(verdict());
    return text.toString();
  }

  private boolean hasSeals() {
    return settings.protocol().hasSeals(settings.mode());
  }

  private String resetsInWords() {
    if (!settings.protocol().hasResets()) {
      return "";
    }
    String quarantine = settings.quarantine() ? ", with quarantine" : "";
    return ", %d forget%s".formatted(settings.resets(), quarantine);
  }

  /** Says by what the bound is passed. */
  private String beyond() {
    int liarsBorne = settings.protocol().liarsBorne(settings.thresholds());
    boolean tooManyLiars = settings.liars() > liarsBorne;
    if (!tooManyLiars && settings.seals().stolen()) {
      return "liars with a key that all clients share can speak for each of them: ";
    }
    int resetsBorne =
        settings
            .protocol()
            .resetsBorne(settings.thresholds(), settings.liars(), settings.quarantine());
    return String.format(
        Locale.ROOT,
        "%d %s are more than the %d that the cluster tolerates: ",
        tooManyLiars ? settings.liars() : settings.resets(),
        tooManyLiars ? "liars" : "forgetful servers",
        tooManyLiars ? liarsBorne : resetsBorne);
  }

  private static String faultsInWords(RunStats stats) {
    if (stats.faults().isEmpty()) {
      return "none";
    }
    return stats.faults().entrySet().stream()
        .map(
            fault ->
                String.format(
                    Locale.ROOT,
                    "%s %,d",
                    fault.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    fault.getValue()))
        .collect(Collectors.joining(", "));
  }

  private String verdict() {
    @Nullable ScenarioResult first = first();
    String beyond = settings.isWithinBound() ? "" : beyond();
    if (first == null) {
      return settings.isWithinBound()
          ? "No promise was broken."
          : beyond + "the checkers had to fire, and did not.";
    }
    return String.format(
        Locale.ROOT,
        "%s%,d of %,d scenarios broke a promise (safety %,d, liveness %,d, errors %,d)%s%n"
            + "  first: seed %d, %s%n%s  replay: %s",
        beyond,
        report.violations(),
        report.scenarios(),
        report.violations(Kind.SAFETY),
        report.violations(Kind.LIVENESS),
        report.violations(Kind.ERROR),
        asExpected(),
        first.seed(),
        message(first),
        others(first),
        replay.command(settings, first.seed()));
  }

  /** The next ones, a line each: what is behind them need not be the same. */
  private String others(ScenarioResult first) {
    return report.failures().stream()
        .filter(failure -> failure.seed() != first.seed())
        .limit(MOST_OTHERS)
        .map(failure -> "  also: seed %d, %s%n".formatted(failure.seed(), message(failure)))
        .collect(Collectors.joining());
  }

  private String asExpected() {
    if (settings.isWithinBound()) {
      return ":";
    }
    return isAsItMustBe() ? ", as they must:" : ", but safety had to break, and nothing else:";
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
