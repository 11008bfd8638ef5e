package io.testudo.mutants;

import io.testudo.mutants.Mutant.Edit;
import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The mutants of a checkout: {@code mutants/<module>/<name>.mutant}. */
final class MutantFiles {
  private static final String ENDING = ".mutant";

  private final SourceTree tree;

  MutantFiles(SourceTree tree) {
    this.tree = tree;
  }

  /** Every file below {@code mutants}, sorted; none if nobody wrote one yet. */
  List<Path> list() throws IOException {
    Path directory = tree.root().resolve("mutants");
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  Mutant read(Path file) throws IOException {
    Path place = tree.root().resolve("mutants").relativize(file);
    String fileName = place.getFileName().toString();
    String module = place.getName(0).toString();
    if (place.getNameCount() != 2
        || !fileName.endsWith(ENDING)
        || !tree.modules().contains(module)) {
      throw new BrokenMutantException(
          "mutants/" + place + " is no mutant: name it mutants/<module>/<name>" + ENDING);
    }
    String name = fileName.substring(0, fileName.length() - ENDING.length());
    return MutantParser.parse(module, name, Files.readString(file));
  }

  /** The changed files of a mutant by their path below {@code src/main/java} of its module. */
  Map<String, String> changedSources(Mutant mutant) throws IOException {
    String sources = mutant.module() + "/src/main/java/";
    Map<String, String> changed = new TreeMap<>();
    for (Edit edit : mutant.edits()) {
      if (!edit.file().startsWith(sources)
          || !Files.isRegularFile(tree.root().resolve(edit.file()))) {
        throw new BrokenMutantException(edit.file() + " is no file below " + sources);
      }
      String path = edit.file().substring(sources.length());
      String before =
          changed.containsKey(path)
              ? changed.get(path)
              : Files.readString(tree.root().resolve(edit.file()));
      changed.put(path, edit.applyTo(before));
    }
    return changed;
  }

  /** The tests that the mutant names and nobody wrote. */
  List<String> missingTests(Mutant mutant) {
    List<String> missing = new ArrayList<>();
    for (String test : mutant.tests()) {
      String path = mutant.module() + "/src/test/java/" + test.replace('.', '/') + ".java";
      if (!Files.isRegularFile(tree.root().resolve(path))) {
        missing.add(path);
      }
    }
    return missing;
  }
}
