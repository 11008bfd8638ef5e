package io.testudo.node;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * A word that stands where a command should, and is none.
 *
 * @param group the command that it was given to
 */
record UnknownCommand(CommandLine group, String word) {
  /** Fewer letters than this have to be changed for a name to be suggested. */
  private static final int TOO_FAR = 3;

  /** The first such word, if there is one; options of groups take no values. */
  static Optional<UnknownCommand> in(CommandLine root, List<String> args) {
    CommandLine group = root;
    for (String word : args) {
      if (group.getSubcommands().isEmpty()) {
        break;
      }
      if (!word.startsWith("-")) {
        CommandLine named = group.getSubcommands().get(word);
        if (named == null) {
          return Optional.of(new UnknownCommand(group, word));
        }
        group = named;
      }
    }
    return Optional.empty();
  }

  /** What is wrong, and what may have been meant. */
  String sentence() {
    String meant =
        group.getSubcommands().keySet().stream()
            .filter(name -> distance(word, name) < Math.min(TOO_FAR, name.length()))
            .collect(Collectors.joining(" or "));
    return "There is no command '%s'%s"
        .formatted(word, meant.isEmpty() ? "." : "; did you mean " + meant + "?");
  }

  /** How many letters to leave out, put in, exchange, or swap with the next one. */
  private static int distance(String from, String to) {
    int[][] least = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        least[i][j] =
            Math.min(
                least[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[from.length()][to.length()];
  }
}
