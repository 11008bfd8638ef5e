package io.testudo.node.monitoring;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which metrics and labels an expression of Prometheus names; no more is understood of it. */
final class PromQuery {
  private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
  private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]\\w*)\\s*(?:=~|!~|!=|=)");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
  private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
  private static final Pattern WORD =
      Pattern.compile("(?<![\\w.])[a-zA-Z_:][a-zA-Z0-9_:]*(?!\\w)(\\s*\\()?");
  private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset");

  /** By metric, the labels that it is selected by. */
  final Map<String, Set<String>> metrics = new TreeMap<>();

  /** Labels by which results are grouped or matched. */
  final Set<String> groupedBy = new TreeSet<>();

  PromQuery(String expression) {
    String text = TEXT.matcher(expression).replaceAll("\"\"");
    text = RANGE.matcher(text).replaceAll(" ");
    Matcher grouping = GROUPING.matcher(text);
    while (grouping.find()) {
      for (String label : grouping.group(1).split(",", -1)) {
        if (!label.isBlank()) {
          groupedBy.add(label.strip());
        }
      }
    }
    text = grouping.replaceAll(" ");
    Matcher selector = SELECTOR.matcher(text);
    while (selector.find()) {
      Set<String> labels = metrics.computeIfAbsent(selector.group(1), any -> new TreeSet<>());
      MATCHER.matcher(selector.group(2)).results().map(it -> it.group(1)).forEach(labels::add);
    }
    for (MatchResult word : WORD.matcher(selector.replaceAll(" ")).results().toList()) {
      if (word.group(1) == null && !KEYWORDS.contains(word.group())) {
        Set<String> unused = metrics.computeIfAbsent(word.group(), any -> new TreeSet<>());
      }
    }
  }
}
