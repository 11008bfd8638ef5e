package io.testudo.node.demo;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.testudo.node.ColourText;
import io.testudo.node.ColourText.Colour;
import io.testudo.node.Screen;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the demo says to people, also to those who never heard of quorums. Its lines fit into 80
 * columns.
 */
public final class Narration {
  private static final int MOST_PROBLEMS_TOLD = 3;
  private static final String INDENT = "  ";

  private final ByzantineKind lie;
  private final int liars;

  public Narration(ByzantineKind lie, int liars) {
    this.lie = lie;
    this.liars = liars;
  }

  /** Before anything happens. */
  public static ImmutableList<ColourText> introduction() {
    return ImmutableList.of(
        ColourText.of(Colour.STRONG, "Four servers keep a lock and a counter. One of them may lie,")
            .and(Colour.STRONG, " nobody knows which."),
        ColourText.of("alice, bob and carol take turns with the lock, and they count. Each step"),
        ColourText.of(
            "needs three of the four servers. Any two groups of three share two servers,"),
        ColourText.of("so an honest one: it will not let in two clients, nor forget a count."),
        ColourText.of(""));
  }

  /**
   * What happens now.
   *
   * @param server whom it is about, null if all
   */
  public ColourText scene(DemoRun.Scene scene, @Nullable String server, DemoRun.View view) {
    ColourText at =
        ColourText.of(
            Colour.FAINT, String.format(Locale.ROOT, "%6.1f s  ", view.at().toMillis() / 1e3));
    return switch (scene) {
      case ALL_HONEST -> at.and("all four servers are honest");
      case LIES -> lies(at.and(server + " "));
      case HONEST_AGAIN -> at.and("%s %s honest again".formatted(server, liars > 1 ? "are" : "is"));
      case KILLED -> at.and(server + " is killed; three of four are enough to go on");
      case BACK -> at.and(server + " is back, with all that it wrote to its disk");
    };
  }

  private ColourText lies(ColourText who) {
    String more = " from now on (%s)".formatted(lie.meaning());
    return liars > 1
        ? who.and(Colour.BAD, "LIE")
            .and(more)
            .and("\n          that is more than one: now anything may happen")
        : who.and(Colour.BAD, "LIES").and(more);
  }

  /** What the checks say, line by line. */
  public ImmutableList<ColourText> verdict(DemoRun.Verdict verdict) {
    ImmutableList.Builder<ColourText> lines = ImmutableList.builder();
    lines.add(ColourText.of(""));
    lines.add(ColourText.of(facts(verdict)));
    if (verdict.holds()) {
      return lines
          .add(
              ColourText.of(
                  Colour.GOOD, "It holds, whatever the liar said (%s).".formatted(lie.flag())))
          .build();
    }
    problems(verdict).forEach(problem -> lines.add(ColourText.of(wrapped(problem))));
    lines.add(
        ColourText.of(Colour.BAD, "It is BROKEN")
            .and(
                liars > 1
                    ? ": %d lied, and the cluster tolerates 1.".formatted(liars)
                    : ". Report this."));
    return lines.build();
  }

  private static String facts(DemoRun.Verdict verdict) {
    String lock =
        String.format(
            Locale.ROOT,
            "%d entries into the lock, %d overlaps.",
            verdict.entries(),
            verdict.overlaps());
    String counter =
        String.format(
            Locale.ROOT,
            "%d increments acknowledged, %d lost.",
            verdict.increments(),
            verdict.lost());
    boolean fits = lock.length() + counter.length() < Screen.USUAL_COLUMNS;
    return lock + (fits ? " " : "\n") + counter;
  }

  /** The first few of what is wrong. */
  public static ImmutableList<String> problems(DemoRun.Verdict verdict) {
    return verdict.problems().stream()
        .limit(MOST_PROBLEMS_TOLD)
        .collect(ImmutableList.toImmutableList());
  }

  /** Indented, on as many lines as it takes. */
  private static String wrapped(String sentence) {
    StringBuilder text = new StringBuilder(INDENT);
    int column = INDENT.length();
    for (String word : Splitter.on(' ').split(sentence)) {
      if (column > INDENT.length() && column + word.length() + 1 > Screen.USUAL_COLUMNS) {
        text.append('\n').append(INDENT.repeat(2));
        column = 2 * INDENT.length();
      } else if (column > INDENT.length()) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    return text.toString();
  }

  /** What to look at after a verdict. */
  public ColourText hint() {
    return ColourText.of(
        Colour.FAINT,
        liars > 1
            ? "With one liar it holds: testudo demo. What to do next: docs/tutorial.md"
            : "Three liars break it: testudo demo --liars 3. What to do next: docs/tutorial.md");
  }
}
