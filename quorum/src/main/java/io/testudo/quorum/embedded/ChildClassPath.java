package io.testudo.quorum.embedded;

import com.google.common.base.Splitter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All classes of this process as one class path: a child needs no modules, so it is the same for
 * those who embed on a class path and those who do on a module path.
 */
final class ChildClassPath {
  private static final Splitter ENTRIES = Splitter.on(File.pathSeparatorChar).omitEmptyStrings();

  private ChildClassPath() {}

  static String of(String classPath, String modulePath) {
    return Stream.concat(
            // The tools that run tests may give paths that are relative to where they started.
            ENTRIES
                .splitToStream(classPath)
                .map(entry -> Path.of(entry).toAbsolutePath().toString()),
            ENTRIES.splitToStream(modulePath).map(ChildClassPath::ofModules))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** An entry of a module path is a module, or a directory of jars. */
  private static String ofModules(String entry) {
    Path path = Path.of(entry).toAbsolutePath();
    boolean isOfJars = Files.isDirectory(path) && !Files.exists(path.resolve("module-info.class"));
    return isOfJars ? path + File.separator + "*" : path.toString();
  }
}
