package io.testudo.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout: its root directory and its modules with sources, as the root pom lists them. */
public record SourceTree(Path root, List<String> modules) {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  public SourceTree {
    modules = List.copyOf(modules);
  }

  /** The tree around the working directory, which is that of the module whose tests run. */
  public static SourceTree ofRunningTests() {
    Path start = Path.of("").toAbsolutePath();
    for (Path directory = start; directory != null; directory = directory.getParent()) {
      Path root = directory;
      List<String> modules =
          modulesOf(directory.resolve("pom.xml")).stream()
              .filter(name -> Files.isDirectory(root.resolve(name).resolve("src")))
              .toList();
      if (!modules.isEmpty()) {
        return new SourceTree(directory, modules);
      }
    }
    throw new IllegalStateException("no pom.xml with modules lies above " + start);
  }

  private static List<String> modulesOf(Path pom) {
    if (!Files.isRegularFile(pom)) {
      return List.of();
    }
    try {
      return MODULE.matcher(Files.readString(pom)).results().map(found -> found.group(1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path module(String name) {
    return root.resolve(name);
  }

  public List<Path> mainSources(String module) {
    return javaBelow(module(module).resolve("src/main"));
  }

  public List<Path> testSources(String module) {
    return javaBelow(module(module).resolve("src/test"));
  }

  /** The Java files below a directory, sorted; none if it does not exist. */
  public static List<Path> javaBelow(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
