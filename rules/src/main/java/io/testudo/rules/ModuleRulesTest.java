package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The module in whose directory this runs keeps the rules of the house. One instance reads the
 * module once for all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModuleRulesTest {
  private final SourceTree tree = SourceTree.ofRunningTests();
  private final Path module = Path.of("").toAbsolutePath();
  private final String room = tree.root().relativize(module).toString();
  private final JavaClasses shipped =
      House.TESTUDO.shippedClasses(module.resolve("target/classes"));
  private final List<ParsedSource> mainSources = ParsedSource.parse(tree.mainSources(room));
  private final List<ParsedSource> testSources = ParsedSource.parse(tree.testSources(room));

  /** A rule over nothing proves nothing. */
  @Test
  void seesTheClassOfEveryMainSourceAndNoTests() {
    List<String> names =
        mainSources.stream()
            .filter(source -> !source.packageName().isEmpty())
            .map(source -> source.packageName() + "." + source.simpleName())
            .toList();
    assertThat(House.ROOMS).contains(room);
    assertThat(names).isNotEmpty();
    assertThat(testSources).isNotEmpty();
    assertThat(shipped).extracting(JavaClass::getName).containsAll(names);
    assertThat(shipped)
        .noneMatch(type -> type.getName().endsWith("Test") && !House.isGenerated(type));
  }

  @TestFactory
  Stream<DynamicTest> keepsTheRulesOnClasses() {
    return Stream.of(
            new DirectionRules(House.TESTUDO).all(),
            new PurityRules(House.TESTUDO).all(),
            new ConfinementRules(House.TESTUDO).all())
        .flatMap(List::stream)
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(shipped)));
  }

  @Test
  void computesThresholdsInOnePlace() {
    ThresholdScan scan = new ThresholdScan("io.testudo.quorum");
    assertThat(mainSources.stream().flatMap(source -> scan.breaches(source).stream())).isEmpty();
  }

  @Test
  void keepsFilesAndMethodsShort() {
    assertThat(
            Stream.concat(mainSources.stream(), testSources.stream())
                .flatMap(source -> SizeScan.breaches(source).stream()))
        .isEmpty();
  }

  @Test
  void synchronizesNothingInPurePackages() {
    assertThat(SynchronizedScan.breaches(mainSources)).isEmpty();
  }

  /** In what applications' threads run through; simulators have threads of their own. */
  @Test
  void neitherWaitsNorRunsCodeOfCallersInAMonitor() {
    boolean isForApplications = House.ROOMS.indexOf(room) <= House.ROOMS.indexOf("client");
    JavaClasses ofApplications =
        shipped.that(
            DescribedPredicate.describe(
                "serve applications",
                type ->
                    isForApplications
                        && !House.TESTUDO.segments(type).orElse(List.of()).contains("sim")));
    assertThat(new MonitorScan(House.TESTUDO, ofApplications, mainSources).breaches()).isEmpty();
  }

  @Test
  void namesServicesForBothPathsAlike() throws IOException {
    assertThat(ServiceScan.breaches(module)).isEmpty();
  }

  @Test
  void showsApplicationsNothingThatTheyCannotSee() {
    Set<String> exported = new TreeSet<>();
    for (String other : House.ROOMS.subList(0, House.ROOMS.indexOf(room) + 1)) {
      Path moduleInfo = tree.module(other).resolve("src/main/java/module-info.java");
      if (Files.exists(moduleInfo)) {
        exported.addAll(ExportScan.exportedBy(ParsedSource.parse(List.of(moduleInfo)).get(0)));
      }
    }
    assertThat(ExportScan.breaches(shipped, exported)).isEmpty();
  }
}
