package io.testudo.ordering.tla;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A specification with its bounds, as TLC takes them.
 *
 * @param name says what differs from the configuration that it was read from
 * @param specification a module
 * @param configuration the text of a configuration file
 */
record Model(String name, String specification, String configuration) {
  static Model of(String specification, String configuration) {
    return new Model(configuration, specification, Tlc.resource(configuration + ".cfg"));
  }

  /** The same with another value of a constant. */
  Model with(String constant, Object value) {
    Matcher line = Pattern.compile("(?m)^  " + constant + " (=|<-) .*$").matcher(configuration);
    if (!line.find()) {
      throw new IllegalArgumentException(name + " has no constant " + constant);
    }
    String set = "  " + constant + " " + line.group(1) + " " + value;
    return new Model(
        name + ", " + constant + " " + value,
        specification,
        line.replaceFirst(Matcher.quoteReplacement(set)));
  }

  /** The same with a mistake in it. */
  Model withBug(String bug) {
    if (!Tlc.resource(specification + ".tla").contains("Bug = \"" + bug + "\"")
        && !Tlc.resource(specification + ".tla").contains("Bug # \"" + bug + "\"")) {
      throw new IllegalArgumentException(specification + " knows no bug " + bug);
    }
    return with("Bug", '"' + bug + '"');
  }

  /** The same with only one of its invariants. */
  Model checking(String invariant) {
    List<String> lines = new ArrayList<>();
    boolean inInvariants = false;
    boolean isThere = false;
    for (String line : configuration.lines().toList()) {
      boolean isNamed = inInvariants && line.startsWith("  ");
      inInvariants = isNamed || line.equals("INVARIANTS");
      isThere |= isNamed && line.strip().equals(invariant);
      if (!isNamed || line.strip().equals(invariant)) {
        lines.add(line);
      }
    }
    if (!isThere) {
      throw new IllegalArgumentException(name + " has no invariant " + invariant);
    }
    return new Model(name, specification, String.join("\n", lines) + "\n");
  }

  @Override
  public String toString() {
    return name;
  }
}
