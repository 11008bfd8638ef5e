package io.testudo.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BomTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");

  /** What serves the build alone. */
  private static final Set<String> NOT_FOR_APPLICATIONS =
      Set.of("testudo-rules", "testudo-bench", "testudo-scenarios", "testudo-spring-boot-sample");

  @Test
  void namesAllThatApplicationsUse() throws IOException {
    Set<String> modules = new TreeSet<>();
    addModules(modules, ROOT, List.of("adapters", "packaging", "peers"));
    addModules(modules, ROOT.resolve("adapters"), List.of());
    modules.removeAll(NOT_FOR_APPLICATIONS);
    String bom = Files.readString(Path.of("../bom/pom.xml"));
    Set<String> listed = new TreeSet<>();
    Matcher names =
        Pattern.compile("<artifactId>(testudo-[^<]+)</artifactId>\\s*<version>\\$").matcher(bom);
    while (names.find()) {
      listed.add(names.group(1));
    }
    assertThat(listed).isEqualTo(modules);
  }

  private static void addModules(Set<String> modules, Path directory, List<String> without)
      throws IOException {
    Matcher names = MODULE.matcher(Files.readString(directory.resolve("pom.xml")));
    while (names.find()) {
      if (!without.contains(names.group(1))) {
        String pom = Files.readString(directory.resolve(names.group(1)).resolve("pom.xml"));
        Matcher artifact = ARTIFACT.matcher(pom);
        assertThat(artifact.find()).as(names.group(1)).isTrue();
        modules.add(artifact.group(1));
      }
    }
  }
}
