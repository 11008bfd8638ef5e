package io.testudo.quorum;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Servers in a square, s0 at its top left and on row by row; a quorum is some number of whole rows
 * and some number of whole columns.
 */
abstract sealed class LineQuorums implements QuorumSystem permits GridQuorums, MGridQuorums {
  private final String name;
  private final int faults;
  private final int side;
  private final int rows;
  private final int columns;
  private final long[] rowBits;
  private final long[] columnBits;

  LineQuorums(String name, int side, int faults, int rows, int columns) {
    this.name = name;
    this.side = side;
    this.faults = faults;
    this.rows = rows;
    this.columns = columns;
    rowBits = new long[side];
    columnBits = new long[side];
    for (int server = 0; server < side * side; server++) {
      rowBits[server / side] |= 1L << server;
      columnBits[server % side] |= 1L << server;
    }
  }

  /** The side of the square, once it is known to be large enough. */
  static int checkedSide(String what, int servers, int faults, int leastSide) {
    Limits.checkServers(servers);
    Limits.checkFaults("b", faults);
    int side = (int) Math.round(Math.sqrt(servers));
    if (side * side != servers) {
      throw new QuorumConfigurationException(
          what + " needs a square number of servers, " + Limits.configured(servers));
    }
    Limits.checkEnough("b", faults, what, leastSide * leastSide, servers);
    return side;
  }

  @Override
  public final int servers() {
    return side * side;
  }

  @Override
  public final int faults() {
    return faults;
  }

  @Override
  public final int quorumSize() {
    return side * (rows + columns) - rows * columns;
  }

  /**
   * Least when two quorums have as few lines in common as the square allows. Common rows count
   * whole, and the other rows of each meet the columns of the other. Columns must be common only
   * where every row belongs to one of the two (there are at least as many rows as columns in a
   * quorum), so they add nothing.
   */
  @Override
  public final int intersection() {
    int commonRows = Math.max(0, 2 * rows - side);
    return commonRows * side + 2 * (rows - commonRows) * columns;
  }

  @Override
  public final int leastSharedWith(QuorumSystem other) {
    return other instanceof LineQuorums lines && lines.side == side
        ? leastSharedWith(lines)
        : other.leastSharedWith(this);
  }

  /** Only how many rows and how many columns the two have in common matters. */
  private int leastSharedWith(LineQuorums other) {
    int least = servers();
    for (int sameRows = Math.max(0, rows + other.rows - side);
        sameRows <= Math.min(rows, other.rows);
        sameRows++) {
      for (int sameColumns = Math.max(0, columns + other.columns - side);
          sameColumns <= Math.min(columns, other.columns);
          sameColumns++) {
        int ownRows = rows - sameRows;
        int theirRows = other.rows - sameRows;
        int restRows = side - sameRows - ownRows - theirRows;
        // In a row of both all count; in a row of one, the columns of the other do.
        int shared =
            sameRows * side
                + ownRows * other.columns
                + theirRows * columns
                + restRows * sameColumns;
        least = Math.min(least, shared);
      }
    }
    return least;
  }

  /** Each server that is gone breaks one more row and one more column at worst. */
  @Override
  public final int resilience() {
    return side - Math.max(rows, columns);
  }

  @Override
  public final boolean containsQuorum(ServerSet answered) {
    return wholeLines(rowBits, answered) >= rows && wholeLines(columnBits, answered) >= columns;
  }

  private static int wholeLines(long[] lines, ServerSet answered) {
    int whole = 0;
    for (long line : lines) {
      if ((answered.bits() & line) == line) {
        whole++;
      }
    }
    return whole;
  }

  /**
   * Builds the square row by row. All that matters of the rows so far is how many of them, and of
   * the columns, are whole. Inclusion-exclusion over rows and columns gives the same in one
   * alternating sum, which loses every digit of a small result.
   */
  @Override
  public final double failureProbability(double p) {
    Chance.checkProbability(p);
    double alive = 1 - p;
    double wholeRow = Math.pow(alive, side);
    double[][] now = new double[side + 1][side + 1];
    now[0][side] = 1;
    for (int row = 0; row < side; row++) {
      double[][] next = new double[side + 1][side + 1];
      for (int whole = 0; whole <= row; whole++) {
        for (int left = 0; left <= side; left++) {
          double here = now[whole][left];
          next[whole + 1][left] += here * wholeRow;
          next[whole][left] += here * Math.pow(alive, left) * someOf(side - left, p);
          for (int still = 0; still < left; still++) {
            next[whole][still] +=
                here
                    * Chance.binomial(left, still)
                    * Math.pow(alive, still)
                    * Math.pow(p, left - still);
          }
        }
      }
      now = next;
    }
    double failed = 0;
    for (int whole = 0; whole <= side; whole++) {
      for (int left = 0; left <= side; left++) {
        failed += whole < rows || left < columns ? now[whole][left] : 0;
      }
    }
    return Math.min(1, failed);
  }

  /** The probability that at least one of {@code count} servers fails, without a subtraction. */
  private static double someOf(int count, double p) {
    double some = 0;
    for (int before = 0; before < count; before++) {
      some += Math.pow(1 - p, before) * p;
    }
    return some;
  }

  /**
   * Looks at every set of columns: the best rows beside it are the cheapest ones, and rows of equal
   * cost are interchangeable. Weighing each set of columns by its number of best row sets makes
   * every best quorum equally likely.
   */
  @Override
  public final ServerSet choose(ServerSet avoid, IntUnaryOperator pick) {
    List<Candidates> best = new ArrayList<>();
    int fewest = Integer.MAX_VALUE;
    int ways = 0;
    for (int set = 0; set < 1 << side; set++) {
      if (Integer.bitCount(set) == columns) {
        Candidates candidates = cheapestRowsBeside(union(columnBits, set), avoid.bits());
        if (candidates.avoided < fewest) {
          fewest = candidates.avoided;
          ways = 0;
          best.clear();
        }
        if (candidates.avoided == fewest) {
          ways += candidates.ways();
          best.add(candidates);
        }
      }
    }
    int drawn = Chance.draw(pick, ways);
    int index = 0;
    while (drawn >= best.get(index).ways()) {
      drawn -= best.get(index).ways();
      index++;
    }
    Candidates chosen = best.get(index);
    long chosenRows = chosen.sureRows | Chance.subset(chosen.tiedRows, chosen.ofTied, pick);
    return new ServerSet(chosen.inColumns | union(rowBits, chosenRows));
  }

  /**
   * The best quorums with one set of columns.
   *
   * @param inColumns the servers of the columns
   * @param sureRows rows that all of these quorums have
   * @param tiedRows rows that cost the same, of which {@code ofTied} are to be taken
   * @param avoided how many avoided servers each of these quorums has
   */
  private record Candidates(long inColumns, long sureRows, long tiedRows, int ofTied, int avoided) {
    int ways() {
      return (int) Chance.binomial(Long.bitCount(tiedRows), ofTied);
    }
  }

  private Candidates cheapestRowsBeside(long inColumns, long avoid) {
    int[] cost = new int[side];
    for (int row = 0; row < side; row++) {
      cost[row] = Long.bitCount(rowBits[row] & avoid & ~inColumns);
    }
    int[] ascending = cost.clone();
    Arrays.sort(ascending);
    int dearestTaken = ascending[rows - 1];
    long sureRows = 0;
    long tiedRows = 0;
    for (int row = 0; row < side; row++) {
      sureRows |= cost[row] < dearestTaken ? 1L << row : 0;
      tiedRows |= cost[row] == dearestTaken ? 1L << row : 0;
    }
    int avoided = Long.bitCount(inColumns & avoid) + Arrays.stream(ascending, 0, rows).sum();
    return new Candidates(inColumns, sureRows, tiedRows, rows - Long.bitCount(sureRows), avoided);
  }

  /** The servers of all the lines whose bit is set. */
  private static long union(long[] lines, long set) {
    long servers = 0;
    for (int line = 0; line < lines.length; line++) {
      servers |= (set >>> line & 1) == 1 ? lines[line] : 0;
    }
    return servers;
  }

  @Override
  public final String toString() {
    return "%s of %d servers, b=%d, quorums of %d".formatted(name, servers(), faults, quorumSize());
  }
}
