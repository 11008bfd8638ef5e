package io.testudo.node;

import io.testudo.mutex.dht.sim.RingCampaign;
import io.testudo.mutex.dht.sim.RingSettings;
import io.testudo.quorum.sim.Violation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a campaign of rings found, for programs and for people. */
final class RingReport {
  private final RingSettings settings;
  private final RingCampaign.Report report;
  private final double seconds;

  /** The row of the output contract. */
  record Row(
      String protocol,
      String backend,
      String routing,
      int replicas,
      int votes,
      int resets,
      long scenarios,
      long operations,
      long steps,
      long churned,
      long attacks,
      long overlaps,
      long violations,
      long safetyViolations,
      long livenessViolations,
      double seconds,
      @Nullable Long firstFailingSeed,
      @Nullable String firstViolation,
      @Nullable String replay) {}

  RingReport(RingSettings settings, RingCampaign.Report report, double seconds) {
    this.settings = settings;
    this.report = report;
    this.seconds = seconds;
  }

  /**
   * Within the bound nothing may break. Beyond it two must have held a lock at once, and only
   * because replicas forgot: one that did not must not have voted for both.
   */
  boolean isAsItMustBe() {
    boolean isBroken = !report.violations().isEmpty();
    return !isBroken && (settings.isWithinBound() || report.overlaps() > 0);
  }

  private long violations() {
    return report.violations().values().stream().mapToLong(Long::longValue).sum();
  }

  private String replay(long seed) {
    return String.format(
        Locale.ROOT,
        "./testudo simulate --protocol dht --backend %s --routing %s --replicas %d --votes %d"
            + " --resets %d --seed %d --scenarios 1",
        settings.backend().word(),
        settings.routing().word(),
        settings.plan().thresholds().servers(),
        settings.plan().thresholds().consents(),
        settings.resets(),
        seed);
  }

  Row row() {
    RingCampaign.@Nullable Failure first = report.first();
    return new Row(
        RingOptions.PROTOCOL,
        settings.backend().word(),
        settings.routing().word(),
        settings.plan().thresholds().servers(),
        settings.plan().thresholds().consents(),
        settings.resets(),
        report.scenarios(),
        report.entries(),
        report.steps(),
        report.churned(),
        report.attacks(),
        report.overlaps(),
        violations(),
        report.of(Violation.Kind.SAFETY),
        report.of(Violation.Kind.LIVENESS),
        Math.round(seconds * 1_000) / 1_000.0,
        first == null ? null : (Long) first.seed(),
        first == null ? null : first.violation().getMessage(),
        first == null ? null : replay(first.seed()));
  }

  String text() {
    String head =
        String.format(
            Locale.ROOT,
            "%s on %s routing: %d replicas of which %d must vote, %d forget during a hold%n"
                + "%,d scenarios in %.1f s: %,d entries, %,d steps, %,d members came or went, %,d"
                + " replicas of holders forgot on purpose%n",
            settings.backend().word(),
            settings.routing().word(),
            settings.plan().thresholds().servers(),
            settings.plan().thresholds().consents(),
            settings.resets(),
            report.scenarios(),
            seconds,
            report.entries(),
            report.steps(),
            report.churned(),
            report.attacks());
    RingCampaign.@Nullable Failure first = report.first();
    if (first != null) {
      return head
          + String.format(
              Locale.ROOT,
              "%,d scenarios broke a promise (safety %,d, liveness %,d, errors %,d):%n"
                  + "  first: seed %d, %s%n  replay: %s",
              violations(),
              report.of(Violation.Kind.SAFETY),
              report.of(Violation.Kind.LIVENESS),
              report.of(Violation.Kind.ERROR),
              first.seed(),
              first.violation().getMessage(),
              replay(first.seed()));
    }
    if (settings.isWithinBound()) {
      return head + "No promise was broken.";
    }
    return head
        + String.format(
            Locale.ROOT,
            "%d resets are more than the %d that are tolerated: two held a lock at once %,d times"
                + "%s",
            settings.resets(),
            settings.plan().resetsBorne(),
            report.overlaps(),
            report.overlaps() > 0
                ? ", as they must, and no replica that remembered voted for both."
                : ", and had to.");
  }
}
