package io.testudo.mutants;

import java.util.List;

/**
 * One seeded bug.
 *
 * @param module the module whose main sources it changes
 * @param why what the bug breaks, in one sentence
 * @param tests the classes of which one must fail; empty for all tests of the module
 */
record Mutant(String module, String name, String why, List<String> tests, List<Edit> edits) {
  Mutant {
    tests = List.copyOf(tests);
    edits = List.copyOf(edits);
  }

  /** The name by which tables and {@code -Dmutant=} know it. */
  String fullName() {
    return module + "/" + name;
  }

  boolean isCalled(String wanted) {
    return wanted.equals(name) || wanted.equals(fullName());
  }

  /**
   * Lines of a file that are replaced by others.
   *
   * @param file the path from the root of the checkout
   * @param find whole lines, each with its line end
   * @param replace whole lines, each with its line end; empty to remove
   */
  record Edit(String file, String find, String replace) {

    /** The source with the edit made. The lines to find must occur exactly once. */
    String applyTo(String source) {
      int first = indexOfLines(source, 0);
      if (first < 0) {
        throw new BrokenMutantException("the lines to find do not occur in " + file + ":\n" + find);
      }
      if (indexOfLines(source, first + 1) >= 0) {
        throw new BrokenMutantException(
            "the lines to find occur more than once in " + file + ":\n" + find);
      }
      return source.substring(0, first) + replace + source.substring(first + find.length());
    }

    private int indexOfLines(String source, int from) {
      int index = source.indexOf(find, from);
      while (index > 0 && source.charAt(index - 1) != '\n') {
        index = source.indexOf(find, index + 1);
      }
      return index;
    }
  }
}
