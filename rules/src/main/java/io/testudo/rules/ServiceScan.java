package io.testudo.rules;

import static java.util.stream.Collectors.toSet;

import com.sun.source.tree.ProvidesTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Services are named twice: in module-info for users on the module path, and in META-INF/services
 * for the launcher, which puts all on the class path. Both must say the same.
 */
final class ServiceScan {
  private ServiceScan() {}

  static List<String> breaches(Path module) throws IOException {
    Path moduleInfo = module.resolve("src/main/java/module-info.java");
    if (!Files.exists(moduleInfo)) {
      return List.of();
    }
    Map<String, Set<String>> declared = declaredIn(ParsedSource.parse(List.of(moduleInfo)).get(0));
    Map<String, Set<String>> listed =
        listedIn(module.resolve("src/main/resources/META-INF/services"));
    Set<String> services = new TreeSet<>(declared.keySet());
    services.addAll(listed.keySet());
    List<String> breaches = new ArrayList<>();
    for (String service : services) {
      Set<String> onModulePath = declared.getOrDefault(service, Set.of());
      Set<String> onClassPath = listed.getOrDefault(service, Set.of());
      if (!onModulePath.equals(onClassPath)) {
        breaches.add(
            moduleInfo
                + " provides "
                + service
                + " with "
                + new TreeSet<>(onModulePath)
                + ", but META-INF/services names "
                + new TreeSet<>(onClassPath));
      }
    }
    return breaches;
  }

  private static Map<String, Set<String>> declaredIn(ParsedSource moduleInfo) {
    Map<String, Set<String>> declared = new HashMap<>();
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitProvides(ProvidesTree provides, @Nullable Void unused) {
        declared.put(
            provides.getServiceName().toString(),
            provides.getImplementationNames().stream().map(Object::toString).collect(toSet()));
        return null;
      }
    }.scan(moduleInfo.unit(), null);
    return declared;
  }

  private static Map<String, Set<String>> listedIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Map.of();
    }
    Map<String, Set<String>> listed = new HashMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        listed.put(
            file.getFileName().toString(),
            Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .collect(toSet()));
      }
    }
    return listed;
  }
}
