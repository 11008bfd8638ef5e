package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TextTableTest {
  private final TextTable table =
      new TextTable(
          new TextTable.Column("name", false),
          new TextTable.Column("up", true),
          new TextTable.Column("faults", false));

  @Test
  void isAsWideAsWhatIsInIt() {
    table.add("s0", "105 min", "none");
    table.add("server", "1s", "slow,\nold");
    assertThat(table.lines())
        .containsExactly(
            "name        up  faults",
            "s0     105 min  none",
            "server      1s  slow,\n                old");
  }

  @Test
  void putsBelowWhatIsTooLong() {
    String longest = "x".repeat(Screen.USUAL_COLUMNS - 12);
    table.add("s0", "105 s", longest);
    table.add("s1", "1 s", longest + "y,\nold");
    assertThat(table.lines())
        .endsWith("s0   105 s  " + longest, "s1     1 s\n    " + longest + "y,\n    old");
  }

  @Test
  void hasATextForEachColumn() {
    assertThatIllegalArgumentException().isThrownBy(() -> table.add("s0"));
  }
}
