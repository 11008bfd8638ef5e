package io.testudo.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutants.Mutant.Edit;
import io.testudo.mutants.MutantRunner.Patience;
import io.testudo.mutants.Verdict.Outcome;
import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts on a tiny module whose tests run in real child processes. */
class MutantRunnerTest {
  private static final Patience PATIENT = new Patience(10, Duration.ofMinutes(5));
  private static final Patience IMPATIENT = new Patience(1, Duration.ofSeconds(1));

  private static final Edit WRONG_SUM = edit(DemoModule.SUM, "    return left - right;\n");

  @TempDir static Path root;

  /** One for all tests, so that a baseline that they share runs once. */
  private static MutantRunner patientRunner;

  @BeforeAll
  static void build() throws IOException {
    new DemoModule(root).build();
    patientRunner = runner(PATIENT);
  }

  private static Edit edit(String find, String replace) {
    return new Edit("demo/src/main/java/demo/Adder.java", find, replace);
  }

  private static MutantRunner runner(Patience patience) {
    return new MutantRunner(
        new MutantFiles(new SourceTree(root, List.of("demo"))),
        new DemoModule(root).asBuilt(),
        root.resolve("work"),
        patience);
  }

  private static Verdict verdict(Edit edit, String... tests)
      throws IOException, InterruptedException {
    return patientRunner.run(new Mutant("demo", "m", "breaks", List.of(tests), List.of(edit)));
  }

  private static void assertVerdict(Verdict verdict, Outcome outcome, String detail) {
    assertThat(verdict.detail()).contains(detail);
    assertThat(verdict.outcome()).isEqualTo(outcome);
  }

  @Test
  void caughtIfOneTestFails() throws Exception {
    Verdict verdict = verdict(WRONG_SUM, "demo.AdderTest");
    assertVerdict(verdict, Outcome.CAUGHT, "AdderTest.adds");
    assertThat(root.resolve("work/mutants/m")).doesNotExist();
  }

  @Test
  void survivesIfAllTestsPass() throws Exception {
    Edit untested = edit(DemoModule.UNTESTED, "    return -2;\n");
    assertVerdict(verdict(untested, "demo.AdderTest"), Outcome.SURVIVED, "all of 2 tests passed");
    assertThat(root.resolve("work/mutants/m/sources/demo/Adder.java")).exists();
  }

  @Test
  void compilesWhatIsChangedAndNoMore() throws Exception {
    verdict(edit(DemoModule.UNTESTED, "    return -3;\n"), "demo.AdderTest");
    assertThat(classesOfMutant()).containsExactly("Adder.class");
  }

  @Test
  void compilesAllIfSomethingElseIsDeclared() throws Exception {
    Edit limit = edit(DemoModule.LIMIT, DemoModule.LIMIT + "  static final int UNUSED = 1;\n");
    verdict(limit, "demo.AdderTest");
    assertThat(classesOfMutant()).containsExactly("Adder.class", "Made.class", "User.class");
  }

  private static List<String> classesOfMutant() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("work/mutants/m/classes/demo"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void reachesFilesIntoWhichAConstantIsCopied() throws Exception {
    Edit limit = edit(DemoModule.LIMIT, "  public static final int LIMIT = 99;\n");
    assertVerdict(verdict(limit, "demo.AdderTest"), Outcome.CAUGHT, "AdderTest.limits");
  }

  @Test
  void brokenIfItDoesNotCompile() throws Exception {
    Edit typo = edit(DemoModule.SUM, "    return left + rigth;\n");
    assertVerdict(verdict(typo, "demo.AdderTest"), Outcome.BROKEN, "javac failed");
  }

  @Test
  void brokenIfItsLinesAreGone() throws Exception {
    Edit stale = edit("    return right + left;\n", "    return 0;\n");
    assertVerdict(verdict(stale, "demo.AdderTest"), Outcome.BROKEN, "do not occur in");
  }

  @Test
  void brokenIfTheTestsFailWithoutIt() throws Exception {
    assertVerdict(
        verdict(WRONG_SUM, "demo.RedTest"),
        Outcome.BROKEN,
        "without the mutant the tests do not pass: RedTest.adds");
  }

  @Test
  void brokenIfATestIsMissingOrEmpty() throws Exception {
    String noTest = "there is no test in demo.";
    assertVerdict(
        verdict(WRONG_SUM, "demo.AdderTest", "demo.GoneTest"), Outcome.BROKEN, noTest + "GoneTest");
    assertVerdict(
        verdict(WRONG_SUM, "demo.AdderTest", "demo.EmptyTest"),
        Outcome.BROKEN,
        noTest + "EmptyTest");
  }

  @Test
  void brokenIfTestsNoLongerFitItsClasses() throws Exception {
    Edit renamed = edit(DemoModule.ADD, DemoModule.ADD.replace("add", "plus"));
    assertVerdict(
        verdict(renamed, "demo.AdderTest"),
        Outcome.BROKEN,
        "do not fit each other: java.lang.NoSuch");
  }

  @Test
  void brokenIfItKillsTheProcess() throws Exception {
    Edit exit = edit(DemoModule.SUM, "    System.exit(0); return 3;\n");
    assertVerdict(verdict(exit, "demo.AdderTest"), Outcome.BROKEN, "ended by itself");
  }

  @Test
  void caughtByTheGuardIfItHangs() throws Exception {
    Edit loop = edit(DemoModule.SUM, "    while (true) {}\n");
    Mutant mutant = new Mutant("demo", "m", "hangs", List.of("demo.AdderTest"), List.of(loop));
    assertVerdict(runner(IMPATIENT).run(mutant), Outcome.CAUGHT, "the guard, after");
  }

  @Test
  void runsAllTestsOfTheModuleIfNoneAreNamed() throws Exception {
    assertVerdict(
        verdict(WRONG_SUM),
        Outcome.BROKEN,
        "without the mutant the tests do not pass: RedTest.adds");
  }

  @Test
  void tableNamesEveryVerdict() {
    Mutant mutant = new Mutant("demo", "m", "breaks", List.of(), List.of(WRONG_SUM));
    assertThat(
            VerdictTable.of(
                    List.of(
                        new Verdict(mutant, Outcome.CAUGHT, "AdderTest.adds", 1.25),
                        new Verdict(mutant, Outcome.BROKEN, "javac failed\nmore", 0.5)))
                .lines())
        .containsExactly(
            "mutant  verdict   seconds  by",
            "demo/m  caught        1.3  AdderTest.adds",
            "demo/m  broken        0.5  javac failed",
            "caught 1 of 2");
  }
}
