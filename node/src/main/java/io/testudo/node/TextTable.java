package io.testudo.node;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows for people, whose columns are as wide as what is in them. The last one may have several
 * lines; if they do not fit beside the others, they stand below them.
 */
public final class TextTable {
  private final ImmutableList<Column> columns;
  private final List<ImmutableList<String>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param isNumber whether it is set flush right
   */
  public record Column(String heading, boolean isNumber) {}

  public TextTable(Column... columns) {
    this.columns = ImmutableList.copyOf(columns);
    rows.add(this.columns.stream().map(Column::heading).collect(ImmutableList.toImmutableList()));
  }

  /** Adds a row, with a text for each column. */
  public void add(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "%d cells for %d columns".formatted(cells.length, columns.size()));
    }
    rows.add(ImmutableList.copyOf(cells));
  }

  /** The headings, then the rows in the order in which they were added. */
  public ImmutableList<String> lines() {
    int last = columns.size() - 1;
    List<Integer> widths = new ArrayList<>();
    for (int i = 0; i < last; i++) {
      int column = i;
      widths.add(rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    return rows.stream().map(row -> line(row, widths)).collect(ImmutableList.toImmutableList());
  }

  private String line(ImmutableList<String> row, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.size(); i++) {
      String cell = row.get(i);
      String space = " ".repeat(widths.get(i) - cell.length());
      line.append(columns.get(i).isNumber() ? space + cell : cell + space).append(' ');
    }
    String last = row.get(widths.size());
    int longest = last.lines().mapToInt(String::length).max().orElse(0);
    if (line.length() + 1 + longest <= Screen.USUAL_COLUMNS) {
      String below = "\n" + " ".repeat(line.length() + 1);
      line.append(' ').append(last.replace("\n", below));
    } else {
      last.lines().forEach(text -> line.append("\n    ").append(text));
    }
    return line.toString().replaceAll(" +(?=\n|$)", "");
  }
}
