package io.testudo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.testudo.house.SourceTree;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The house keeps its rules. One instance reads the house once for all of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HouseRulesTest {
  private static final SourceTree TREE = SourceTree.ofRunningTests();

  private final JavaClasses shipped = House.TESTUDO.shippedClasses();
  private final List<ParsedSource> mainSources = ParsedSource.parse(TREE.mainSources());
  private final List<ParsedSource> testSources = ParsedSource.parse(TREE.testSources());

  /** A rule over nothing proves nothing. */
  @Test
  void seesEveryRoomAndNoTests() {
    for (String room : House.ROOMS) {
      assertThat(shipped)
          .as("shipped classes of " + room)
          .anyMatch(type -> House.isWithin(type, House.TESTUDO.packageOf(room)));
    }
    assertThat(shipped.contain("io.testudo.quorum.protocol.Machine")).isTrue();
    assertThat(shipped).noneMatch(type -> type.getName().equals(HouseRulesTest.class.getName()));
    assertThat(TREE.modules()).isEqualTo(House.ROOMS);
    assertThat(mainSources).extracting(ParsedSource::packageName).contains("io.testudo.quorum");
    assertThat(testSources)
        .extracting(ParsedSource::packageName)
        .contains("io.testudo.architecture");
  }

  @Test
  void seesTheClassOfEveryMainSource() {
    List<String> names =
        mainSources.stream()
            .filter(source -> !source.packageName().isEmpty())
            .map(source -> source.packageName() + "." + source.simpleName())
            .toList();
    assertThat(shipped).extracting(JavaClass::getName).containsAll(names);
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

  @Test
  void namesServicesForBothPathsAlike() throws IOException {
    for (String module : TREE.modules()) {
      assertThat(ServiceScan.breaches(TREE.module(module))).isEmpty();
    }
  }
}
