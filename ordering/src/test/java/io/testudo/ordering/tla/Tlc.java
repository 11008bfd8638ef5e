package io.testudo.ordering.tla;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs TLC in a process of its own, because it keeps its state in static fields. One worker: the
 * search is breadth first then, and a counter-example is a shortest one.
 */
final class Tlc {
  private static final Pattern COUNTS =
      Pattern.compile(
          "(?m)^([\\d,]+) states generated, ([\\d,]+) distinct states found, ([\\d,]+) states"
              + " left");
  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern STATE = Pattern.compile("(?m)^State \\d+:");

  private Tlc() {}

  /**
   * What a search found.
   *
   * @param violated the invariant that does not hold
   * @param distinct states that were found
   * @param left states of which the successors were not looked at
   * @param traceLength states of the counter-example
   * @param output all that TLC said
   */
  record Result(
      int exitCode,
      Optional<String> violated,
      long distinct,
      long left,
      long traceLength,
      String output) {
    boolean isComplete() {
      return exitCode == 0 && violated.isEmpty() && left == 0;
    }
  }

  static String resource(String name) {
    try (InputStream in = Tlc.class.getResourceAsStream("/tla/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Searches all states of a model.
   *
   * @param directory where everything is written; whoever calls deletes it
   * @param javaOptions of the process
   */
  static Result check(Model model, Path directory, List<String> javaOptions)
      throws IOException, InterruptedException {
    String specification = model.specification() + ".tla";
    Files.writeString(directory.resolve(specification), resource(specification));
    Files.writeString(directory.resolve("model.cfg"), model.configuration());
    Path output = directory.resolve("output.txt");

    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    // It unpacks its standard modules there.
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(List.of("-cp", jar().toString(), "tlc2.TLC"));
    command.addAll(List.of("-workers", "1", "-nowarning"));
    command.addAll(List.of("-metadir", directory.resolve("states").toString()));
    command.addAll(List.of("-config", "model.cfg", specification));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      int exitCode = process.waitFor();
      return resultOf(exitCode, Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private static Result resultOf(int exitCode, String output) {
    Matcher counts = COUNTS.matcher(output);
    boolean hasCounts = counts.find();
    Matcher violated = VIOLATED.matcher(output);
    return new Result(
        exitCode,
        violated.find() ? Optional.of(violated.group(1)) : Optional.empty(),
        hasCounts ? number(counts.group(2)) : 0,
        hasCounts ? number(counts.group(3)) : -1,
        STATE.matcher(output).results().count(),
        output);
  }

  private static long number(String digits) {
    return Long.parseLong(digits.replace(",", ""));
  }

  private static Path jar() {
    try {
      return Path.of(tlc2.TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
