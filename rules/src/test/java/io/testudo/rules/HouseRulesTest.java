package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What no module can tell of itself: the names of all, and that each checks the rules. */
class HouseRulesTest {
  /** The pattern of tests that run beside other modules. */
  private static final String BESIDE = "${surefire.beside}";

  private static final SourceTree TREE = SourceTree.ofRunningTests();

  @Test
  void everyModuleHasItsPlaceAndChecksTheRulesInItsTests() throws IOException {
    assertThat(TREE.modules().get(0)).isEqualTo("rules");
    assertThat(TREE.modules().subList(1, TREE.modules().size())).isEqualTo(House.ROOMS);
    for (String room : House.ROOMS) {
      assertThat(Files.readString(TREE.module(room).resolve("pom.xml")))
          .containsPattern("<artifactId>testudo-rules</artifactId>\\s*<scope>test</scope>");
    }
    assertThat(Files.readString(TREE.root().resolve("pom.xml")))
        .containsPattern(
            "<dependenciesToScan>\\s*<dependency>io.testudo:testudo-rules</dependency>");
  }

  /** What one module leaves out and the other does not run would never run. */
  @Test
  void testsThatTheirModulesLeaveOutRunInScenarios() throws IOException {
    String scenarios = Files.readString(TREE.root().resolve("scenarios/pom.xml"));
    assertThat(patterns(scenarios, "include")).containsExactly(BESIDE);
    List<String> rooms = patterns(scenarios, "module");
    assertThat(House.ROOMS).containsAll(rooms);
    for (String room : House.ROOMS) {
      Path pom = TREE.module(room).resolve("pom.xml");
      boolean leavesOut =
          Files.exists(pom) && patterns(Files.readString(pom), "exclude").contains(BESIDE);
      assertThat(leavesOut).as(room).isEqualTo(rooms.contains(room));
    }
    for (String room : rooms) {
      String pom = Files.readString(TREE.root().resolve("scenarios/" + room + "/pom.xml"));
      assertThat(patterns(pom, "scenarios.of")).containsExactly(room);
      assertThat(pom).contains("<artifactId>testudo-" + room + "</artifactId>");
    }
  }

  /** What is compared with an earlier version is what applications may use. */
  @Test
  void theProfileForChangesKnowsAllThatIsExported() throws IOException {
    Set<String> exported = new TreeSet<>();
    for (String room : House.ROOMS) {
      Path moduleInfo = TREE.module(room).resolve("src/main/java/module-info.java");
      if (Files.exists(moduleInfo)) {
        exported.addAll(ExportScan.exportedBy(ParsedSource.parse(List.of(moduleInfo)).get(0)));
      }
    }
    assertThat(patterns(Files.readString(TREE.root().resolve("pom.xml")), "include"))
        .filteredOn(name -> name.startsWith("io.testudo."))
        .containsExactlyInAnyOrderElementsOf(exported);
  }

  private static List<String> patterns(String pom, String element) {
    return Pattern.compile("<" + element + ">([^<]*)</" + element + ">")
        .matcher(pom)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** Adapters are no rooms of the house: they have their own libraries, and see only the client. */
  private static List<Path> sourcesOfAdapters() {
    return SourceTree.javaBelow(TREE.root().resolve("adapters")).stream()
        .filter(file -> file.toString().contains("/src/"))
        .toList();
  }

  @Test
  void adaptersAreShortToo() {
    assertThat(ParsedSource.parse(sourcesOfAdapters()))
        .isNotEmpty()
        .flatExtracting(SizeScan::breaches)
        .isEmpty();
  }

  @Test
  void noClassHasTheNameOfAnother() {
    List<Path> files = new ArrayList<>();
    TREE.modules().forEach(name -> files.addAll(TREE.mainSources(name)));
    sourcesOfAdapters().stream()
        .filter(file -> file.toString().contains("/src/main/"))
        .forEach(files::add);
    List<ParsedSource> sources = ParsedSource.parse(files);
    assertThat(sources)
        .extracting(ParsedSource::simpleName)
        .contains("Machine", "ModuleRulesTest", "BenchCommand", "TestudoLockProvider");
    assertThat(NameScan.breaches(sources)).isEmpty();
  }

  @Test
  void theRulesAreShortThemselves() {
    List<Path> files = new ArrayList<>(TREE.mainSources("rules"));
    files.addAll(TREE.testSources("rules"));
    assertThat(ParsedSource.parse(files)).isNotEmpty().flatExtracting(SizeScan::breaches).isEmpty();
  }
}
