package io.testudo.bench.report;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.page.ResultsFolder;
import io.testudo.bench.results.AimVerdict;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.RowCases;
import io.testudo.bench.results.Timeline;
import io.testudo.node.CommandException;
import io.testudo.node.JsonLines;
import io.testudo.node.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the results of a bench: prints each row, and keeps them all for the folder of {@code
 * --out}, which {@link #finish} writes.
 */
public final class BenchOutput {
  private final Output output;
  private final @Nullable Path folder;
  private final RunRecord run;
  private final boolean virtual;
  private final TerminalProgress progress = TerminalProgress.onTerminal();
  private final List<ResultCase> cases = new ArrayList<>();
  private final List<AimVerdict> verdicts = new ArrayList<>();

  BenchOutput(Output output, @Nullable Path folder, RunRecord run, boolean virtual) {
    this.output = output;
    this.folder = folder;
    this.run = run;
    this.virtual = virtual;
  }

  /**
   * For a command of another module that says itself where results go.
   *
   * @param folder null for nowhere
   */
  public static BenchOutput to(
      Output output, @Nullable Path folder, RunRecord run, boolean virtual) {
    return new BenchOutput(output, folder, run, virtual);
  }

  public boolean isJson() {
    return output.isJson();
  }

  /** Where the command tells what it is at. */
  public TerminalProgress progress() {
    return progress;
  }

  /** Gives people a line that programs do not need. */
  public void text(String line) {
    progress.close();
    output.text(line);
  }

  /** Gives one result of which no rounds are known, see {@link Output#row}. */
  public void row(Object row, String text) {
    row(row, text, Rounds.none());
  }

  public void row(Object row, String text, Rounds rounds) {
    progress.close();
    output.row(row, text);
    keep(row, rounds);
  }

  /** Gives one result with how it went in its course. */
  public void row(Object row, String text, Timeline course) {
    progress.close();
    output.row(row, text);
    if (folder != null) {
      cases.add(caseOf(row, Rounds.none(), virtual).withTimeline(course));
    }
  }

  /** Gives one result whose times are not of the kind that the others have. */
  public void row(Object row, String text, boolean isVirtual) {
    progress.close();
    output.row(row, text);
    if (folder != null) {
      cases.add(caseOf(row, Rounds.none(), isVirtual));
    }
  }

  private static ResultCase caseOf(Object row, Rounds rounds, boolean isVirtual) {
    JsonObject fields = JsonParser.parseString(JsonLines.line(row)).getAsJsonObject();
    return RowCases.of(fields, rounds.byName(), isVirtual);
  }

  /** Keeps a result that is shown in another way. */
  public void keep(Object row, Rounds rounds) {
    if (folder != null) {
      cases.add(caseOf(row, rounds, virtual));
    }
  }

  /** Says whether an aim was reached; the page shows it. */
  public void verdict(String aim, boolean reached, String measured) {
    verdicts.add(new AimVerdict(aim, reached, measured));
  }

  /** Writes the folder, if one is asked for. */
  public void finish() {
    progress.close();
    if (folder == null) {
      return;
    }
    @Nullable Double others =
        cases.stream()
            .map(ResultCase::otherCpuShare)
            .filter(Objects::nonNull)
            .max(Double::compare)
            .orElse(null);
    if (others != null) {
      verdict(
          String.format(
              Locale.ROOT,
              "other processes take at most %.0f %% of the machine",
              OtherLoad.WARNING_SHARE * 100),
          others <= OtherLoad.WARNING_SHARE,
          String.format(Locale.ROOT, "%.0f %% in the worst case", others * 100));
    }
    try {
      ResultsFolder.write(
          folder,
          new BenchResults(
              ImmutableList.of(run.facts(others)),
              ImmutableList.copyOf(verdicts),
              ImmutableList.copyOf(cases)));
    } catch (IOException e) {
      throw new CommandException(
          "Cannot write the results to %s, choose another --out: %s."
              .formatted(folder, e.getMessage()),
          e);
    }
    output.text("Results: %s".formatted(folder.resolve(ResultsFolder.PAGE)));
  }
}
