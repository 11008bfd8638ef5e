package io.testudo.mutex.lease;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A test that can be read by who knows the protocol and not the code: lines that say what happens,
 * each followed by what comes of it, indented. Lines that begin with # are remarks.
 */
final class Transcript {
  /** Those who play in a transcript. */
  interface Stage {
    /** Lets one line happen and says what came of it. */
    List<String> play(Words line);
  }

  /** The words of a line. */
  record Words(String line, List<String> all) {
    static Words of(String line) {
      return new Words(line, Splitter.on(' ').splitToList(line));
    }

    boolean has(String word) {
      return all.contains(word);
    }

    /** The number after a word, or another if the word is not there. */
    long after(String word, long otherwise) {
      return has(word) ? Long.parseLong(all.get(all.indexOf(word) + 1)) : otherwise;
    }

    String first() {
      return all.get(0);
    }
  }

  private static final String INDENT = "  ";

  private final List<String> written;

  private Transcript(List<String> written) {
    this.written = written;
  }

  static Transcript read(String name) throws IOException {
    return new Transcript(
        Resources.readLines(Resources.getResource("transcripts/" + name), StandardCharsets.UTF_8));
  }

  /** What happens by the same lines, and how that differs from what is written; empty if not. */
  List<String> differences(Stage stage) {
    List<String> happened = new ArrayList<>();
    for (String line : written) {
      if (!line.startsWith(INDENT)) {
        happened.add(line);
        if (!line.isBlank() && !line.startsWith("#")) {
          stage.play(Words.of(line)).forEach(outcome -> happened.add(INDENT + outcome));
        }
      }
    }
    return happened.equals(written) ? List.of() : compare(written, happened);
  }

  /** All lines, with - before those that are written only and + before what happened only. */
  static List<String> compare(List<String> written, List<String> happened) {
    int[][] common = new int[written.size() + 1][happened.size() + 1];
    for (int i = written.size() - 1; i >= 0; i--) {
      for (int j = happened.size() - 1; j >= 0; j--) {
        common[i][j] =
            written.get(i).equals(happened.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> lines = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < written.size() || j < happened.size()) {
      boolean both = i < written.size() && j < happened.size();
      if (both && written.get(i).equals(happened.get(j))) {
        lines.add("  " + written.get(i++));
        j++;
      } else if (j == happened.size()
          || (i < written.size() && common[i + 1][j] >= common[i][j + 1])) {
        lines.add("- " + written.get(i++));
      } else {
        lines.add("+ " + happened.get(j++));
      }
    }
    return lines;
  }
}
