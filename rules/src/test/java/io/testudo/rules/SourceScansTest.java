package io.testudo.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Size, synchronized blocks, services. */
class SourceScansTest {
  private static List<String> sizeBreaches(int linesBeforeMethod, int linesInMethod) {
    String source =
        "package p;\nclass Long {\n"
            + "\n".repeat(linesBeforeMethod)
            + "  void run() {\n"
            + "    call();\n".repeat(linesInMethod - 2)
            + "  }\n"
            + "}\n";
    return SizeScan.breaches(ParsedSource.parse("Long.java", source));
  }

  @Test
  void allowsAMethodAtTheLimitAndNotALineMore() {
    assertThat(sizeBreaches(0, SizeScan.MAX_METHOD_LINES)).isEmpty();
    assertThat(sizeBreaches(0, SizeScan.MAX_METHOD_LINES + 1))
        .singleElement()
        .asString()
        .contains("Long.java:3", "a method of 81 lines", "divide run");
  }

  @Test
  void allowsAFileAtTheLimitAndNotALineMore() {
    int others = 2 + 10 + 1;
    assertThat(sizeBreaches(SizeScan.MAX_FILE_LINES - others, 10)).isEmpty();
    assertThat(sizeBreaches(SizeScan.MAX_FILE_LINES - others + 1, 10))
        .singleElement()
        .asString()
        .contains("a file of 451 lines");
  }

  @Test
  void refusesASourceThatCannotBeParsed() {
    assertThatThrownBy(() -> ParsedSource.parse("Half.java", "class Half {"))
        .hasMessageContaining("cannot be parsed");
  }

  private static final String BLOCK =
      "package %s; class Example { void run() { synchronized (this) { call(); } } }";

  @Test
  void findsSynchronizedBlocksInPurePackagesOnly() {
    List<ParsedSource> sources =
        List.of(
            ParsedSource.parse("pure/package-info.java", "@Pure package pure;"),
            ParsedSource.parse("long/package-info.java", "@some.where.Pure package named;"),
            ParsedSource.parse("busy/package-info.java", "@NullMarked package busy;"),
            ParsedSource.parse("pure/Example.java", BLOCK.formatted("pure")),
            ParsedSource.parse("named/Example.java", BLOCK.formatted("named")),
            ParsedSource.parse("busy/Example.java", BLOCK.formatted("busy")));
    assertThat(SynchronizedScan.breaches(sources))
        .hasSize(2)
        .anyMatch(breach -> breach.contains("pure/Example.java:1"))
        .anyMatch(breach -> breach.contains("named/Example.java:1"));
  }

  @Test
  void wantsServicesNamedForBothPaths(@TempDir Path module) throws IOException {
    Path moduleInfo = module.resolve("src/main/java/module-info.java");
    Path services = module.resolve("src/main/resources/META-INF/services");
    Files.createDirectories(moduleInfo.getParent());
    Files.createDirectories(services);
    Files.writeString(moduleInfo, "module m { provides a.Command with a.One, a.Two; }");

    Files.writeString(services.resolve("a.Command"), "a.One\n# the second\na.Two # here\n");
    assertThat(ServiceScan.breaches(module)).isEmpty();

    Files.writeString(services.resolve("a.Command"), "a.One\n");
    assertThat(ServiceScan.breaches(module))
        .singleElement()
        .asString()
        .contains("a.Command with [a.One, a.Two], but META-INF/services names [a.One]");

    Files.delete(services.resolve("a.Command"));
    Files.writeString(services.resolve("a.Other"), "a.One\n");
    assertThat(ServiceScan.breaches(module)).hasSize(2);
  }

  @Test
  void wantsNoServicesOfARoomWithoutModuleInfo(@TempDir Path module) throws IOException {
    assertThat(ServiceScan.breaches(module)).isEmpty();
  }
}
