package io.testudo.mutants;

import com.google.common.base.Splitter;
import io.testudo.rules.SourceTree;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

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

  /**
   * Compiles all main sources, of which some are changed, with plain javac: lint is not the
   * subject. All of them, because a constant or a signature reaches into other files. The
   * module-info stays out, for tests run on the class path.
   *
   * @param changed new text by path below {@code src/main/java}
   * @return what javac says, empty if it compiled
   */
  String compile(Map<String, String> changed, Path sourcesOut, Path classesOut) throws IOException {
    Path sources = directory.resolve("src/main/java");
    List<Path> files =
        new ArrayList<>(SourceTree.javaBelow(directory.resolve("target/generated-sources")));
    for (Path original : SourceTree.javaBelow(sources)) {
      String text = changed.get(sources.relativize(original).toString());
      if (text == null) {
        files.add(original);
      } else {
        Path copy = sourcesOut.resolve(sources.relativize(original));
        Files.createDirectories(copy.getParent());
        files.add(Files.writeString(copy, text));
      }
    }
    files.removeIf(file -> file.endsWith("module-info.java"));
    Files.createDirectories(classesOut);
    List<String> options =
        List.of(
            "-d",
            classesOut.toString(),
            "-cp",
            joined(dependencies),
            "-proc:none",
            "-nowarn",
            "-parameters");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(
                  said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      return compiled ? "" : "javac failed: " + said;
    }
  }

  static String joined(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
