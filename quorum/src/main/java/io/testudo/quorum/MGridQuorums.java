package io.testudo.quorum;

/**
 * The M-grid of Malkhi, Reiter and Wool, "The load and availability of Byzantine quorum systems",
 * 2000: in a square of k by k servers a quorum is r rows and r columns, r being the square root of
 * b+1, rounded up. It masks b liars, because the rows of either quorum meet the columns of the
 * other in r*r servers. Among masking systems its load is the least possible, up to a constant.
 */
public final class MGridQuorums extends LineQuorums {
  private MGridQuorums(int side, int faults, int lines) {
    super("M-grid", side, faults, lines, lines);
  }

  /**
   * The M-grid of so many servers, a square number. Its side must be at least 2b+1: the paper's
   * bound, which is enough but for some sizes more than necessary.
   */
  public static MGridQuorums of(int servers, int faults) {
    int side = checkedSide("an M-grid", servers, faults, 2 * faults + 1);
    return new MGridQuorums(side, faults, (int) Math.ceil(Math.sqrt(faults + 1)));
  }
}
