package io.testudo.node.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.node.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The testudo command of this build, in processes that end with the test. */
final class Testudo implements AutoCloseable {
  /** A hang guard on a loaded machine, not an expectation. */
  static final long GUARD_SECONDS = 120;

  private final Path directory;
  private final Path script;
  private final List<Run> runs = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();

  Testudo(Path directory) throws IOException {
    this.directory = directory;
    this.script = directory.resolve("testudo");
    ClassArchive classes = ClassArchive.usual();
    // Many small processes: what they would gain by a better compiler comes late.
    String text =
        "#!/bin/sh%nexec '%s' '%s' -cp '%s' io.testudo.node.Main \"$@\"%n"
            .formatted(
                ClassArchive.java(), String.join("' '", classes.options()), classes.classPath());
    Files.writeString(script, text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  /** What a shell runs for the command. */
  Path script() {
    return script;
  }

  /** Starts a command, which hears SIGHUP even if this build was started by {@code nohup}. */
  Run start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (Signals.isIgnored("HUP")) {
      command.addAll(List.of("env", "--default-signal=HUP"));
    }
    command.add(script.toString());
    command.addAll(List.of(arguments));
    return startProgram(command, Map.of());
  }

  /** Starts any program. */
  Run startProgram(List<String> command, Map<String, String> environment) throws IOException {
    int number = numbers.incrementAndGet();
    Path out = directory.resolve("out-" + number);
    Path err = directory.resolve("err-" + number);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Run run = new Run(builder.start(), out, err);
    runs.add(run);
    return run;
  }

  /** Runs a command to its end. */
  Run run(String... arguments) throws IOException, InterruptedException {
    Run run = start(arguments);
    run.awaitEnd();
    return run;
  }

  /** Waits until something is so. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(GUARD_SECONDS)) {
        throw new AssertionError("did not happen: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Override
  public void close() {
    for (Run run : runs) {
      run.process.descendants().forEach(ProcessHandle::destroyForcibly);
      run.process.destroyForcibly().onExit().join();
    }
  }

  /** One process. */
  static final class Run {
    private final Process process;
    private final Path out;
    private final Path err;

    private Run(Process process, Path out, Path err) {
      this.process = process;
      this.out = out;
      this.err = err;
    }

    long pid() {
      return process.pid();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    String out() {
      return read(out);
    }

    String err() {
      return read(err);
    }

    private static String read(Path file) {
      try {
        return Files.readString(file, UTF_8);
      } catch (IOException e) {
        return "";
      }
    }

    /** Waits for the end, and gives the exit code. */
    int awaitEnd() throws InterruptedException {
      if (!process.waitFor(GUARD_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("did not end; it said: " + out() + err());
      }
      return process.exitValue();
    }

    /** Waits until its output has this. */
    void awaitOutput(String text) throws InterruptedException {
      await(
          "output of " + text,
          () -> {
            if (!process.isAlive() && !out().contains(text)) {
              throw new AssertionError(
                  "it ended with " + process.exitValue() + " and said: " + out() + err());
            }
            return out().contains(text);
          });
    }

    /** Sends a signal, such as TERM. */
    void signal(String name) throws IOException, InterruptedException {
      int code =
          new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid()).start().waitFor();
      if (code != 0) {
        throw new AssertionError("no signal " + name + " to " + process.pid());
      }
    }
  }
}
