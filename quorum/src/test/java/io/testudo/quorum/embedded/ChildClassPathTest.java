package io.testudo.quorum.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a child gets of its parent's classes. */
class ChildClassPathTest {
  @TempDir private Path directory;

  @Test
  void makesRelativeEntriesAbsoluteAndKeepsTheirOrder() {
    assertThat(ChildClassPath.of("b.jar" + File.pathSeparator + "a.jar", ""))
        .isEqualTo(
            Path.of("b.jar").toAbsolutePath()
                + File.pathSeparator
                + Path.of("a.jar").toAbsolutePath());
  }

  @Test
  void takesModulesAndDirectoriesOfModules() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("jars"));
    Path module = Files.createDirectory(directory.resolve("module"));
    Files.createFile(module.resolve("module-info.class"));
    Path jar = directory.resolve("one.jar");
    String modulePath = String.join(File.pathSeparator, "" + jars, "" + module, "" + jar);
    assertThat(ChildClassPath.of("", modulePath).split(File.pathSeparator))
        .containsExactly(jars + File.separator + "*", module.toString(), jar.toString());
  }
}
