package io.testudo.rules;

import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files and methods short enough to be read whole. The aim is 400 and 70 lines; these are walls.
 */
final class SizeScan {
  static final int MAX_FILE_LINES = 450;
  static final int MAX_METHOD_LINES = 80;

  private SizeScan() {}

  static List<String> breaches(ParsedSource source) {
    List<String> breaches = new ArrayList<>();
    long fileLines = source.text().lines().count();
    if (fileLines > MAX_FILE_LINES) {
      breaches.add(
          source.place(source.unit())
              + " is a file of "
              + fileLines
              + " lines: divide it, "
              + MAX_FILE_LINES
              + " is the most");
    }
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
        long lines = source.linesOf(method);
        if (lines > MAX_METHOD_LINES) {
          breaches.add(
              source.place(method)
                  + " is a method of "
                  + lines
                  + " lines: divide "
                  + method.getName()
                  + ", "
                  + MAX_METHOD_LINES
                  + " is the most");
        }
        return super.visitMethod(method, null);
      }
    }.scan(source.unit(), null);
    return breaches;
  }
}
