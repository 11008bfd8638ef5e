package io.testudo.mutants;

import com.google.common.base.Splitter;
import io.testudo.rules.SourceTree;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.ToolProvider;

/** A module as Maven would leave it, of a few lines, for tests of the runner. */
record DemoModule(Path root) {
  static final String LIMIT = "  public static final int LIMIT = 100;\n";
  static final String ADD = "  public static int add(int left, int right) {\n";
  static final String SUM = "    return left + right;\n";
  static final String UNTESTED = "    return -1;\n";

  /** The test libraries are those of the running tests. */
  ModuleUnderTest asBuilt() {
    return new ModuleUnderTest(root.resolve("demo"), ownClassPath());
  }

  private static List<Path> ownClassPath() {
    return Splitter.on(File.pathSeparatorChar)
        .splitToStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .toList();
  }

  void build() throws IOException {
    // Compiling this would fail: the runner must leave it out.
    write("src/main/java/module-info.java", "module demo { requires no.such.module; }");
    write(
        "src/main/java/demo/Adder.java",
        "package demo;\npublic class Adder {\n"
            + LIMIT
            + ADD
            + SUM
            + "  }\n"
            + "  public static int untested() {\n"
            + UNTESTED
            + "  }\n"
            + "}\n");
    write(
        "src/main/java/demo/User.java",
        "package demo; public class User { public static int limit() { return Made.limit(); } }");
    write(
        "target/generated-sources/protobuf/demo/Made.java",
        "package demo; public class Made { static int limit() { return Adder.LIMIT; } }");
    writeTest("AdderTest", 3);
    writeTest("RedTest", 4);
    write("src/test/java/demo/EmptyTest.java", "package demo; class EmptyTest {}");

    Path module = root.resolve("demo");
    List<Path> main = new ArrayList<>(SourceTree.javaBelow(module.resolve("src/main/java/demo")));
    main.addAll(SourceTree.javaBelow(module.resolve("target/generated-sources")));
    compile(main, asBuilt().classes());
    compile(SourceTree.javaBelow(module.resolve("src/test/java")), asBuilt().testClasses());
  }

  private void writeTest(String name, int expectedSum) throws IOException {
    write(
        "src/test/java/demo/" + name + ".java",
        """
        package demo;
        import static org.junit.jupiter.api.Assertions.assertEquals;
        import org.junit.jupiter.api.Test;
        class %s {
          @Test void adds() { assertEquals(%d, Adder.add(1, 2)); }
          @Test void limits() { assertEquals(100, User.limit()); }
        }
        """
            .formatted(name, expectedSum));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve("demo").resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void compile(List<Path> files, Path output) throws IOException {
    Files.createDirectories(output);
    List<Path> classPath = new ArrayList<>(ownClassPath());
    classPath.add(asBuilt().classes());
    List<String> arguments =
        new ArrayList<>(
            Arrays.asList(
                "-proc:none", "-d", output.toString(), "-cp", ModuleUnderTest.joined(classPath)));
    files.forEach(file -> arguments.add(file.toString()));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException("the demo does not compile");
    }
  }
}
