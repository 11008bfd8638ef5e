package io.testudo.ordering.tla;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
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
 * Runs TLC in a process of its own, one search after the other: most are short, and a new process
 * would take longer to start than to search. One worker: the search is breadth first then, and a
 * counter-example is a shortest one.
 */
final class Tlc implements AutoCloseable {
  private static final Pattern COUNTS =
      Pattern.compile(
          "(?m)^([\\d,]+) states generated, ([\\d,]+) distinct states found, ([\\d,]+) states"
              + " left");
  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern STATE = Pattern.compile("(?m)^State \\d+:");

  private final Path directory;
  private final Process process;
  private final BufferedReader answers;
  private int searches;

  private Tlc(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

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
   * Starts the process, which ends with this one or when it is closed.
   *
   * @param directory where everything is written; whoever calls deletes it
   * @param javaOptions of the process
   */
  static Tlc start(Path directory, List<String> javaOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    // It unpacks its standard modules there.
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(List.of("-cp", codeOf(TlcMain.class), TlcMain.class.getName()));
    command.add(codeOf(tlc2.TLC.class));
    return new Tlc(
        directory,
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Searches all states of a model. */
  Result check(Model model) throws IOException {
    String specification = model.specification() + ".tla";
    Files.writeString(directory.resolve(specification), resource(specification));
    Files.writeString(directory.resolve("model.cfg"), model.configuration());
    String states = "states-" + ++searches;
    Path output = directory.resolve("output-" + searches + ".txt");
    List<String> words = new ArrayList<>(List.of(output.toString()));
    words.addAll(List.of("-workers", "1", "-nowarning", "-metadir", states));
    words.addAll(List.of("-config", "model.cfg", specification));
    Writer requests = process.outputWriter(StandardCharsets.UTF_8);
    requests.write(String.join(TlcMain.BETWEEN, words) + "\n");
    requests.flush();
    String code = answers.readLine();
    if (code == null) {
      throw new IOException("TLC has ended");
    }
    return resultOf(Integer.parseInt(code), Files.readString(output));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
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

  private static String codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
