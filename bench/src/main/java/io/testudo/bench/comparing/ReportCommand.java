package io.testudo.bench.comparing;

import io.testudo.bench.page.ResultsFolder;
import io.testudo.bench.results.BenchResults;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo bench report}: one page of several runs. */
@Command(
    name = "report",
    description = {
      "Make one page of the results of several runs.",
      "A case that several of them measured is shown for each run.",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench report ping lock object --out report",
    })
public final class ReportCommand implements Subcommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "DIR",
      description = "Folders that testudo bench --out wrote.")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "report",
      description = "Where the page goes (${DEFAULT-VALUE}).")
  private Path out = Path.of("report");

  @Mixin private Output output = new Output();

  /** For picocli. */
  public ReportCommand() {}

  @Override
  public Integer call() {
    List<BenchResults> all = folders.stream().map(StoredResults::read).toList();
    BenchResults merged = BenchResults.merged(all);
    try {
      if (!ResultsFolder.isFree(out)) {
        throw new CommandException(
            "--out: %s has other files in it, choose a new directory.".formatted(out));
      }
      ResultsFolder.write(out, merged);
    } catch (IOException e) {
      throw new CommandException(
          "Cannot write the page to %s, choose another --out: %s.".formatted(out, e.getMessage()),
          e);
    }
    Written written =
        new Written(
            out.resolve(ResultsFolder.PAGE).toString(),
            merged.runs().size(),
            merged.cases().size());
    output.row(
        written,
        "%s: %d %s, %d cases"
            .formatted(
                written.page(),
                written.runs(),
                written.runs() == 1 ? "run" : "runs",
                written.cases()));
    return ExitCode.OK;
  }

  /** The row of the output contract. */
  private record Written(String page, int runs, int cases) {}
}
