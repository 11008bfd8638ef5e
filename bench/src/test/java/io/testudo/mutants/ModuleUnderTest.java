package io.testudo.mutants;

import com.google.common.base.Splitter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A module that Maven has built, and its sources.
 *
 * @param dependencies the class path of its tests without its own classes
 */
record ModuleUnderTest(Path directory, List<Path> dependencies) {
  /** Written by the Maven profile. */
  private static final String CLASS_PATH_FILE = "target/mutants.classpath";

  ModuleUnderTest {
    dependencies = List.copyOf(dependencies);
  }

  static ModuleUnderTest builtBy(Path directory) throws IOException {
    Path file = directory.resolve(CLASS_PATH_FILE);
    if (!Files.exists(file)) {
      throw new IOException(file + " is missing: run the mutants by 'mvn verify -Pmutants'");
    }
    return new ModuleUnderTest(
        directory,
        Splitter.on(File.pathSeparatorChar)
            .omitEmptyStrings()
            .splitToStream(Files.readString(file).strip())
            .map(Path::of)
            .toList());
  }

  Path classes() {
    return directory.resolve("target/classes");
  }

  Path testClasses() {
    return directory.resolve("target/test-classes");
  }

  /** The main sources. */
  Path sources() {
    return directory.resolve("src/main/java");
  }

  static String joined(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
