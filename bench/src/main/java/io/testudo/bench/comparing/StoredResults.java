package io.testudo.bench.comparing;

import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.ResultsException;
import io.testudo.bench.results.ResultsJson;
import io.testudo.node.CommandException;
import java.io.IOException;
import java.nio.file.Path;

/** Reads results for commands. */
final class StoredResults {
  private StoredResults() {}

  /**
   * Of a folder that a bench wrote, or its {@code results.json}.
   *
   * @throws CommandException if they cannot be read
   */
  static BenchResults read(Path folder) {
    try {
      return ResultsJson.read(folder);
    } catch (ResultsException e) {
      throw new CommandException(
          "%s: name a folder that testudo bench --out wrote.".formatted(e.getMessage()), e);
    } catch (IOException e) {
      throw new CommandException(
          "Cannot read the results in %s: %s.".formatted(folder, e.getMessage()), e);
    }
  }
}
