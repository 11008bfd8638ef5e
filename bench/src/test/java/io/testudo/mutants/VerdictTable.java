package io.testudo.mutants;

import java.util.List;
import java.util.Locale;

/** The verdicts for people to read. */
final class VerdictTable {
  private VerdictTable() {}

  static String of(List<Verdict> verdicts) {
    int width =
        verdicts.stream().mapToInt(verdict -> verdict.mutant().fullName().length()).max().orElse(0);
    String row = "%-" + Math.max(width, "mutant".length()) + "s  %-8s  %7s  %s%n";
    StringBuilder table = new StringBuilder();
    table.append(String.format(Locale.ROOT, row, "mutant", "verdict", "seconds", "by"));
    for (Verdict verdict : verdicts) {
      table.append(
          String.format(
              Locale.ROOT,
              row,
              verdict.mutant().fullName(),
              verdict.outcome().name().toLowerCase(Locale.ROOT),
              String.format(Locale.ROOT, "%.1f", verdict.seconds()),
              verdict.detail().lines().findFirst().orElse("")));
    }
    long caught = verdicts.stream().filter(Verdict::isGood).count();
    return table + "caught " + caught + " of " + verdicts.size();
  }
}
