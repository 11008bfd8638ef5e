package io.testudo.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  @TempDir private Path temporary;
  @AutoClose private Unpacked unpacked;

  @BeforeEach
  void unpack() throws Exception {
    unpacked = new Unpacked(temporary);
  }

  @Test
  void theCommandRunsThroughALinkFromAnywhere() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("testudo"), Unpacked.launcher());
    Unpacked.Run version = unpacked.start(List.of(link.toString(), "--version"));
    assertThat(version.awaitEnd()).as(version.said()).isZero();
    assertThat(version.said()).contains(Unpacked.STAGE.getFileName().toString().substring(8));
    Unpacked.Run unknown = unpacked.start(List.of(link.toString(), "no-such-command"));
    assertThat(unknown.awaitEnd()).as(unknown.said()).isEqualTo(2);
  }

  @Test
  void itSaysWhatIsMissing() throws Exception {
    Unpacked.Run run =
        unpacked.start(
            List.of("env", "JAVA_HOME=" + temporary, Unpacked.launcher().toString(), "--version"));
    assertThat(run.awaitEnd()).isEqualTo(69);
    assertThat(run.said()).contains("JAVA_HOME is '" + temporary + "', which has no bin/java");
  }

  @Test
  void itHasNoTestsAndNoBench() throws Exception {
    try (Stream<Path> libraries = Files.list(Unpacked.STAGE.resolve("lib"))) {
      assertThat(libraries.map(file -> file.getFileName().toString()))
          .anyMatch(name -> name.startsWith("testudo-node-"))
          .anyMatch(name -> name.startsWith("logback-classic-"))
          .noneMatch(
              name -> name.matches("(testudo-(bench|rules)|junit|mockito|assertj|snakeyaml).*"));
    }
    assertThat(Unpacked.STAGE.resolve("LICENSE")).exists();
    for (String file : List.of("alerts.yml", "prometheus.yml", "grafana-dashboard.json")) {
      assertThat(Unpacked.STAGE.resolve("monitoring").resolve(file)).isNotEmptyFile();
    }
  }
}
