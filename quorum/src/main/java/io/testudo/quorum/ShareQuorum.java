package io.testudo.quorum;

/**
 * What counts where members vote with shares of a whole, not by their number: so many parts of it
 * win. Shares are from 0 to 1.
 *
 * @param needed parts that win
 * @param parts of the whole
 */
public record ShareQuorum(int needed, int parts) {
  /** Sums of shares err by less than this. */
  private static final double ROUNDING = 1e-9;

  public ShareQuorum {
    if (parts < 1 || needed > parts || 2L * needed <= parts) {
      throw new QuorumConfigurationException(
          "%d of %d parts are no quorum: more than half of all are needed, and not more than all"
              .formatted(needed, parts));
    }
  }

  /** The part of the whole that wins. */
  public double share() {
    return (double) needed / parts;
  }

  /** Whether these shares are enough. */
  public boolean isEnough(double consenting) {
    return consenting >= share() - ROUNDING;
  }

  /** Whether what is left is not enough, with so much against it. */
  public boolean isBlockedBy(double against) {
    return !isEnough(1 - against);
  }

  /** The share that two winners have in common at least: liars with less let no two win. */
  public double shared() {
    return 2 * share() - 1;
  }

  /** Liars with no more than this keep nobody from winning. */
  public double dispensable() {
    return 1 - share();
  }
}
