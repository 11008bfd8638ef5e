package io.testudo.mutants;

import com.google.common.base.Splitter;
import io.testudo.mutants.Mutant.Edit;
import java.util.ArrayList;
import java.util.List;

/** Reads the text of a {@code .mutant} file; docs/mutants.md has an example. */
final class MutantParser {
  private static final String WHY = "why:";
  private static final String TESTS = "tests:";
  private static final String FILE = "file:";
  private static final String FIND = "find:";
  private static final String REPLACE = "replace:";
  private static final String END = "end:";

  private final String name;
  private final List<String> lines;
  private int next;
  private String why = "";
  private String file = "";
  private final List<String> tests = new ArrayList<>();
  private final List<Edit> edits = new ArrayList<>();

  private MutantParser(String name, String text) {
    this.name = name;
    this.lines = text.lines().toList();
  }

  static Mutant parse(String module, String name, String text) {
    MutantParser parser = new MutantParser(name, text);
    parser.read();
    return new Mutant(module, name, parser.why, parser.tests, parser.edits);
  }

  private void read() {
    while (next < lines.size()) {
      String line = lines.get(next++);
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith(WHY) && why.isEmpty()) {
        why = line.substring(WHY.length()).strip();
      } else if (line.startsWith(TESTS) && tests.isEmpty()) {
        tests.addAll(
            Splitter.on(',')
                .trimResults()
                .omitEmptyStrings()
                .splitToList(line.substring(TESTS.length())));
      } else if (line.startsWith(FILE)) {
        file = line.substring(FILE.length()).strip();
      } else if (line.equals(FIND)) {
        edits.add(readEdit());
      } else {
        throw broken("does not expect '" + line + "' here");
      }
    }
    if (why.isEmpty()) {
      throw broken("needs a line 'why: ...' that says what it breaks");
    }
    if (edits.isEmpty()) {
      throw broken("needs an edit: a line 'file: ...' and blocks 'find:', 'replace:', 'end:'");
    }
  }

  private Edit readEdit() {
    if (file.isEmpty()) {
      throw broken("needs a line 'file: ...' before 'find:'");
    }
    String find = readBlock(REPLACE);
    String replace = readBlock(END);
    if (find.isBlank()) {
      throw broken("has nothing to find");
    }
    if (find.equals(replace)) {
      throw broken("replaces lines by themselves");
    }
    return new Edit(file, find, replace);
  }

  private String readBlock(String terminator) {
    StringBuilder block = new StringBuilder();
    while (next < lines.size()) {
      String line = lines.get(next++);
      if (line.equals(terminator)) {
        return block.toString();
      }
      block.append(line).append('\n');
    }
    throw broken("ends before a line '" + terminator + "'");
  }

  private BrokenMutantException broken(String problem) {
    return new BrokenMutantException("mutant " + name + ", line " + next + ": " + problem);
  }
}
