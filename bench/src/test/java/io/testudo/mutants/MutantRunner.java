package io.testudo.mutants;

import com.google.common.base.Stopwatch;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.testudo.mutants.TestRun.End;
import io.testudo.mutants.Verdict.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries the mutants of one module, from several threads if need be. The same tests must pass on the
 * same sources without the mutant, compiled and started in the same way, once for each set of
 * tests: else a failure would say nothing.
 */
final class MutantRunner {
  /** For the baseline, whose time is not known yet. */
  private static final Duration BASELINE_GUARD = Duration.ofMinutes(15);

  private final MutantFiles files;
  private final ModuleUnderTest module;
  private final ModuleCompiler compiler;
  private final Path work;
  private final Patience patience;
  private final Map<List<String>, Baseline> baselines = new HashMap<>();

  /** The tests without a mutant. Two threads that need it wait for one run, and for no other. */
  private final class Baseline {
    private final List<String> tests;
    private final Path directory;
    private @Nullable TestRun run;
    private Duration took = Duration.ZERO;

    private Baseline(List<String> tests, Path directory) {
      this.tests = tests;
      this.directory = directory;
    }

    private synchronized TestRun run() throws IOException, InterruptedException {
      if (run == null) {
        freshDirectory(directory);
        List<Path> classes = List.of(compiler.unchanged());
        Stopwatch stopwatch = Stopwatch.createStarted();
        run = TestRun.of(module, classes, tests, directory, BASELINE_GUARD);
        took = stopwatch.elapsed();
      }
      return run;
    }

    /** How long it took, if it passed. */
    private synchronized Duration passed() throws IOException, InterruptedException {
      if (run().end() != End.PASSED) {
        throw new BrokenMutantException(
            "without the mutant the tests do not pass: " + run().detail());
      }
      return took;
    }
  }

  /**
   * When the tests of a mutant are taken to hang: a mutant may make them slower than they are.
   *
   * @param timesBaseline how many times longer than without the mutant they may take
   * @param atLeast how long they may take in any case
   */
  record Patience(int timesBaseline, Duration atLeast) {
    private Duration guard(Duration baseline) {
      Duration patient = baseline.multipliedBy(timesBaseline);
      return patient.compareTo(atLeast) > 0 ? patient : atLeast;
    }
  }

  /**
   * @param work a directory of this runner's own; the traces of mutants that were not caught stay
   */
  MutantRunner(MutantFiles files, ModuleUnderTest module, Path work, Patience patience) {
    this.files = files;
    this.module = module;
    this.compiler = new ModuleCompiler(module, work.resolve("unchanged"));
    this.work = work;
    this.patience = patience;
  }

  Verdict run(Mutant mutant) throws IOException, InterruptedException {
    Stopwatch stopwatch = Stopwatch.createStarted();
    Path directory = freshDirectory(work.resolve("mutants").resolve(mutant.name()));
    Verdict verdict = judge(mutant, directory, stopwatch);
    if (verdict.isGood()) {
      MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return verdict;
  }

  /** The time of the baseline is not counted: the first mutant that needs it would look slow. */
  private Verdict judge(Mutant mutant, Path directory, Stopwatch stopwatch)
      throws IOException, InterruptedException {
    TestRun run;
    try {
      Path classes = directory.resolve("classes");
      compiler.compile(files.changedSources(mutant), directory.resolve("sources"), classes);
      stopwatch.stop();
      Duration baseline = baseline(mutant.tests()).passed();
      stopwatch.start();
      run =
          TestRun.of(
              module,
              List.of(classes, compiler.unchanged()),
              mutant.tests(),
              directory,
              patience.guard(baseline));
    } catch (BrokenMutantException e) {
      return verdict(mutant, Outcome.BROKEN, String.valueOf(e.getMessage()), stopwatch);
    }
    return verdict(mutant, outcomeOf(run), run.detail(), stopwatch);
  }

  private static Verdict verdict(
      Mutant mutant, Outcome outcome, String detail, Stopwatch stopwatch) {
    return new Verdict(mutant, outcome, detail, stopwatch.elapsed().toMillis() / 1000.0);
  }

  private static Outcome outcomeOf(TestRun run) {
    return switch (run.end()) {
      case FAILED, HUNG -> Outcome.CAUGHT;
      case PASSED -> Outcome.SURVIVED;
      case MISSING, DIED, UNLINKED -> Outcome.BROKEN;
    };
  }

  private synchronized Baseline baseline(List<String> tests) {
    Path directory = work.resolve("baselines").resolve(String.valueOf(baselines.size()));
    return baselines.computeIfAbsent(tests, key -> new Baseline(key, directory));
  }

  private static Path freshDirectory(Path directory) throws IOException {
    if (Files.exists(directory)) {
      MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return Files.createDirectories(directory);
  }
}
