package io.testudo.quorum;

/**
 * The grid of Malkhi and Reiter, "Byzantine quorum systems", 1998: in a square of k by k servers a
 * quorum is one column and 2b+1 rows. It masks b liars, because the column of one quorum meets the
 * rows of another in 2b+1 servers. Only in a large square with few faults is a server asked less
 * often than with a threshold; docs/quorums.md compares them.
 */
public final class GridQuorums extends LineQuorums {
  private GridQuorums(int side, int faults) {
    super("grid", side, faults, 2 * faults + 1, 1);
  }

  /**
   * The grid of so many servers, a square number. Its side must be at least 3b+1, so that b faulty
   * servers leave 2b+1 whole rows.
   */
  public static GridQuorums of(int servers, int faults) {
    return new GridQuorums(checkedSide("a grid", servers, faults, 3 * faults + 1), faults);
  }
}
