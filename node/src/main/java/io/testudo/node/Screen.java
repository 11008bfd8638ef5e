package io.testudo.node;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What people can see of this process. The launcher says which of its streams are terminals, since
 * Java itself cannot tell alike in all versions.
 */
public final class Screen {
  /** What a line fits into wherever nobody says how wide the terminal is. */
  public static final int USUAL_COLUMNS = 80;

  private final boolean seesOut;
  private final boolean seesErr;
  private final boolean hasColours;
  private final boolean isDumb;
  private final int columns;

  /**
   * A screen.
   *
   * @param columns null if nobody knows
   * @param variables of the environment
   */
  public Screen(
      boolean seesOut, boolean seesErr, @Nullable Integer columns, Map<String, String> variables) {
    this.seesOut = seesOut;
    this.seesErr = seesErr;
    this.isDumb = variables.getOrDefault("TERM", "dumb").equals("dumb");
    // https://no-color.org: whatever it says, unless it is empty.
    this.hasColours = !isDumb && variables.getOrDefault("NO_COLOR", "").isEmpty();
    this.columns = columns == null || columns < 1 ? USUAL_COLUMNS : columns;
  }

  /** That of this process. */
  public static Screen ofProcess() {
    return new Screen(
        Boolean.getBoolean("testudo.terminal.out"),
        Boolean.getBoolean("testudo.terminal"),
        Integer.getInteger("testudo.columns"),
        System.getenv());
  }

  /** Whether results may have colours. */
  public boolean coloursOut() {
    return seesOut && hasColours;
  }

  /** Whether what is drawn on the error stream may have colours. */
  public boolean coloursErr() {
    return seesErr && hasColours;
  }

  /** Whether the cursor can be moved on the error stream, and somebody sees it. */
  public boolean canDraw() {
    return seesErr && !isDumb;
  }

  /** How many characters fit on a line. */
  public int columns() {
    return columns;
  }
}
