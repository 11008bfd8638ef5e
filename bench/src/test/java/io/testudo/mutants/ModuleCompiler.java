package io.testudo.mutants;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.sun.source.util.JavacTask;
import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the main sources of a module with plain javac: lint is not the subject. The module-info
 * stays out, for tests run on the class path.
 *
 * <p>All sources are compiled once as they are, and of a mutant only the files that it changes, if
 * they declare what they declared before: then nothing else comes out of javac in another way. What
 * is declared, constants that are copied into other files among it, javac itself prints. If that
 * changes, or anything goes wrong, all sources are compiled again.
 */
final class ModuleCompiler {
  private final ModuleUnderTest module;
  private final Path work;
  private final Map<Set<String>, String> declarations = new HashMap<>();
  private boolean compiledUnchanged;

  /**
   * @param work a directory of this compiler's own
   */
  ModuleCompiler(ModuleUnderTest module, Path work) {
    this.module = module;
    this.work = work;
  }

  /** The classes of the module without any mutant. */
  synchronized Path unchanged() throws IOException {
    Path classes = work.resolve("classes");
    if (!compiledUnchanged) {
      compile(sourcesWith(Map.of()), List.of(), classes);
      compiledUnchanged = true;
    }
    return classes;
  }

  /**
   * Compiles a mutant. Its classes are to come before the unchanged ones.
   *
   * @param changed new text by path below {@code src/main/java}
   * @param sourcesOut where the changed sources are written
   */
  void compile(Map<String, String> changed, Path sourcesOut, Path classesOut) throws IOException {
    Map<String, Path> written = new HashMap<>();
    for (Map.Entry<String, String> source : changed.entrySet()) {
      Path copy = sourcesOut.resolve(source.getKey());
      Files.createDirectories(copy.getParent());
      written.put(source.getKey(), Files.writeString(copy, source.getValue()));
    }
    if (!compileAlone(written, classesOut)) {
      compile(sourcesWith(written), List.of(), classesOut);
    }
  }

  /** Whether that was enough. */
  private boolean compileAlone(Map<String, Path> changed, Path classesOut) throws IOException {
    List<Path> classPath = List.of(unchanged());
    try {
      String declared = compile(List.copyOf(changed.values()), classPath, classesOut);
      return declared.equals(declarations(changed.keySet()));
    } catch (BrokenMutantException e) {
      // What javac says of all sources is the verdict.
      return false;
    }
  }

  private synchronized String declarations(Set<String> paths) throws IOException {
    Set<String> key = ImmutableSet.copyOf(paths);
    String known = declarations.get(key);
    if (known == null) {
      List<Path> files = key.stream().map(module.sources()::resolve).toList();
      known = compile(files, List.of(unchanged()), work.resolve("again"));
      declarations.put(key, known);
    }
    return known;
  }

  private List<Path> sourcesWith(Map<String, Path> changed) throws IOException {
    List<Path> files =
        new ArrayList<>(
            SourceTree.javaBelow(module.directory().resolve("target/generated-sources")));
    for (Path original : SourceTree.javaBelow(module.sources())) {
      String path = module.sources().relativize(original).toString();
      files.add(changed.getOrDefault(path, original));
    }
    files.removeIf(file -> file.endsWith("module-info.java"));
    return files;
  }

  /**
   * Compiles these files and no other.
   *
   * @param before comes before the dependencies on the class path
   * @return all that the files declare
   */
  private String compile(List<Path> files, List<Path> before, Path classesOut) throws IOException {
    Files.createDirectories(classesOut);
    Path noSources = Files.createDirectories(work.resolve("no-sources"));
    List<Path> classPath =
        ImmutableList.<Path>builder().addAll(before).addAll(module.dependencies()).build();
    List<String> options =
        List.of(
            "-d",
            classesOut.toString(),
            "-cp",
            ModuleUnderTest.joined(classPath),
            "-sourcepath",
            noSources.toString(),
            "-proc:none",
            "-nowarn",
            "-parameters");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, said, options, null, manager.getJavaFileObjectsFromPaths(files));
      String declared = declared(task);
      checkForErrors(said);
      task.generate();
      checkForErrors(said);
      return declared;
    }
  }

  private static String declared(JavacTask task) throws IOException {
    List<Element> types = new ArrayList<>();
    for (Element element : task.analyze()) {
      if (element instanceof TypeElement type && !type.getNestingKind().isNested()) {
        types.add(type);
      }
    }
    types.sort((left, right) -> left.toString().compareTo(right.toString()));
    StringWriter text = new StringWriter();
    task.getElements().printElements(text, types.toArray(Element[]::new));
    return text.toString();
  }

  private static void checkForErrors(DiagnosticCollector<JavaFileObject> said) {
    String errors =
        said.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(Object::toString)
            .collect(Collectors.joining("\n"));
    if (!errors.isEmpty()) {
      throw new BrokenMutantException("javac failed: " + errors);
    }
  }
}
