package io.testudo.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.results.RunFacts;
import io.testudo.node.Version;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is noted at the beginning of a run to tell at its end what was run. */
public final class RunRecord {
  private static final long GIT_SECONDS = 5;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final String command;
  private final ImmutableMap<String, String> options;
  private final Instant begin = Instant.now();

  public RunRecord(String command, ImmutableMap<String, String> options) {
    this.command = command;
    this.options = options;
  }

  /**
   * The facts, as of now.
   *
   * @param otherCpuShare the most that others took of the machine in a case
   */
  public RunFacts facts(@Nullable Double otherCpuShare) {
    MachineFacts machine = MachineFacts.ofThisMachine("");
    return new RunFacts(
        command,
        options,
        Version.number(),
        commit(),
        begin.truncatedTo(ChronoUnit.SECONDS).toString(),
        ChronoUnit.MILLIS.between(begin, Instant.now()) / MILLIS_PER_SECOND,
        machine.cores(),
        machine.memoryMebibytes(),
        "%s %s".formatted(System.getProperty("java.vm.name"), machine.jdk()),
        machine.os(),
        otherCpuShare);
  }

  /** Of the checkout that this class was built in, with a plus if it was changed since. */
  private static @Nullable String commit() {
    try {
      Path here =
          Path.of(RunRecord.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path at = here; at != null; at = at.getParent()) {
        if (Files.exists(at.resolve(".git")) && Files.exists(at.resolve("bench"))) {
          String commit = git(at, "rev-parse", "--short=12", "HEAD");
          return commit.isEmpty()
              ? null
              : commit + (git(at, "status", "--porcelain").isEmpty() ? "" : "+");
        }
      }
      return null;
    } catch (IOException | URISyntaxException | RuntimeException e) {
      return null; // No git, or no right to look: it is a courtesy.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static String git(Path root, String... words) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("git", "-C", root.toString());
    builder.command().addAll(List.of(words));
    Process git = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      git.getOutputStream().close();
      String said = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : "";
    } finally {
      git.destroyForcibly();
    }
  }
}
