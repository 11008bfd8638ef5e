package io.testudo.bench.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.bench.plot.Chart;
import io.testudo.bench.plot.ChartSvg;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.ResultsJson;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder that a bench leaves behind. */
public final class ResultsFolder {
  public static final String PAGE = "index.html";
  static final String TABLES = "tables.md";
  static final String PLOTS = "plots";

  private ResultsFolder() {}

  /** Whether nothing is lost when results are written there. */
  public static boolean isFree(Path folder) throws IOException {
    if (!Files.exists(folder) || Files.exists(folder.resolve(ResultsJson.FILE))) {
      return true;
    }
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Writes all files; those of an earlier run of other cases go. */
  public static void write(Path folder, BenchResults results) throws IOException {
    Path plots = folder.resolve(PLOTS);
    Files.createDirectories(plots);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(plots, "*.svg")) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
    for (CaseGroup group : CaseGroup.of(results.cases())) {
      List<Chart> charts = ChartChooser.charts(group);
      for (int i = 0; i < charts.size(); i++) {
        Files.writeString(
            plots.resolve("%s-%d.svg".formatted(group.id(), i + 1)),
            ChartSvg.file(charts.get(i)),
            UTF_8);
      }
    }
    Files.writeString(folder.resolve(TABLES), MarkdownTables.of(results), UTF_8);
    Files.writeString(folder.resolve(PAGE), HtmlPage.of(results), UTF_8);
    Files.writeString(folder.resolve(ResultsJson.FILE), ResultsJson.text(results), UTF_8);
  }
}
