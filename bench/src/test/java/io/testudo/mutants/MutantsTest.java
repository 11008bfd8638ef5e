package io.testudo.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.common.base.Splitter;
import io.testudo.mutants.MutantRunner.Patience;
import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every mutant is caught. Runs under {@code mvn verify -Pmutants}; {@code -Dmutant=} picks some by
 * their names.
 */
@Tag("mutants")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MutantsTest {
  private static final Patience PATIENCE = new Patience(10, Duration.ofMinutes(2));

  private final SourceTree tree = SourceTree.ofRunningTests();
  private final MutantFiles files = new MutantFiles(tree);
  private final Path work = tree.module("bench").resolve("target/mutants");
  private final Map<String, MutantRunner> runners = new HashMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final ExecutorService pool =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  @TestFactory
  Stream<DynamicTest> isCaught() throws IOException {
    Set<String> wanted =
        new HashSet<>(
            Splitter.on(',')
                .omitEmptyStrings()
                .trimResults()
                .splitToList(System.getProperty("mutant", "")));
    boolean some = !wanted.isEmpty();
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : files.list()) {
      Mutant mutant = files.read(file);
      if (!some || wanted.removeIf(mutant::isCalled)) {
        MutantRunner runner = runner(mutant.module());
        Future<Verdict> verdict = pool.submit(() -> runner.run(mutant));
        tests.add(dynamicTest(mutant.fullName(), file.toUri(), () -> check(verdict.get())));
      }
    }
    assertThat(wanted).as("names that no mutant has").isEmpty();
    return tests.stream();
  }

  private MutantRunner runner(String module) throws IOException {
    MutantRunner known = runners.get(module);
    if (known != null) {
      return known;
    }
    MutantRunner runner =
        new MutantRunner(
            files, ModuleUnderTest.builtBy(tree.module(module)), work.resolve(module), PATIENCE);
    runners.put(module, runner);
    return runner;
  }

  private void check(Verdict verdict) {
    verdicts.add(verdict);
    assertThat(verdict.outcome())
        .as("%s (%s): %s", verdict.mutant().fullName(), verdict.mutant().why(), verdict.detail())
        .isEqualTo(Verdict.Outcome.CAUGHT);
  }

  @AfterAll
  void printTable() {
    pool.shutdownNow();
    System.out.println(VerdictTable.of(verdicts));
  }
}
