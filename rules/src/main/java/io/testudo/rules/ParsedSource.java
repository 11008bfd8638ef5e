package io.testudo.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A source file as the JDK's own parser sees it. Names are not resolved, types not known. */
record ParsedSource(CompilationUnitTree unit, SourcePositions positions, String text) {

  static List<ParsedSource> parse(Collection<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      return parse(compiler, manager.getJavaFileObjectsFromPaths(files));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ParsedSource parse(String name, String text) {
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    try {
      return parse(ToolProvider.getSystemJavaCompiler(), List.of(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ParsedSource> parse(
      JavaCompiler compiler, Iterable<? extends JavaFileObject> files) throws IOException {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, files);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    List<ParsedSource> parsed = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      String text = unit.getSourceFile().getCharContent(true).toString();
      parsed.add(new ParsedSource(unit, positions, text));
    }
    for (Diagnostic<?> diagnostic : diagnostics.getDiagnostics()) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        throw new IllegalArgumentException("cannot be parsed: " + diagnostic);
      }
    }
    return parsed;
  }

  /** Empty for module-info, which has no package. */
  String packageName() {
    return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
  }

  /** The file's name without its directory and ending, which is that of its main class. */
  String simpleName() {
    String name = unit.getSourceFile().getName();
    return name.substring(name.lastIndexOf('/') + 1, name.length() - ".java".length());
  }

  boolean isPackageInfo() {
    return simpleName().equals("package-info");
  }

  /** Where a tree begins, in the form that editors open. */
  String place(Tree tree) {
    return unit.getSourceFile().getName() + ":" + line(positions.getStartPosition(unit, tree));
  }

  long line(long position) {
    return unit.getLineMap().getLineNumber(position);
  }

  long linesOf(Tree tree) {
    long first = line(positions.getStartPosition(unit, tree));
    return line(positions.getEndPosition(unit, tree)) - first + 1;
  }
}
