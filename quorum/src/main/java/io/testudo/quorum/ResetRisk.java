package io.testudo.quorum;

/**
 * How likely it is that servers which lose their memory break exclusion: the formula of Lin, Lian,
 * Chen and Zhang (2004), section III. A server forgets within one hold with probability p = t/T,
 * where t is how long the hold lasts and T the mean life of a server; as many as two quorums share
 * may let a second holder in. It is an upper bound: those that forget must also be just the ones
 * that the second holder asks. Servers that lie need not forget: with b of them, so many less
 * suffice.
 */
public final class ResetRisk {
  private ResetRisk() {}

  /** That too many of the quorum that granted a lock forget it. */
  public static double amongGranters(Thresholds thresholds, double p) {
    int liars = thresholds.need().toleratesLiars() ? thresholds.faults() : 0;
    return atLeast(thresholds.shared() - liars, thresholds.quorum() - liars, p);
  }

  /**
   * The same in a ring: each of those that granted a lock is at any of so many members, and a
   * member that forgets does so for all of them that it has.
   *
   * @param p that a member forgets
   */
  public static double amongGranters(Thresholds thresholds, int members, double p) {
    Chance.checkProbability(p);
    if (p == 0 || p == 1) {
      return p;
    }
    double risk = 0;
    // As logarithms: that none of very many forgets is less likely than what a double holds.
    double logOfTerm = members * Math.log1p(-p);
    for (int forget = 1; forget <= members; forget++) {
      logOfTerm += Math.log((members - forget + 1.0) / forget * p / (1 - p));
      risk += Math.exp(logOfTerm) * amongGranters(thresholds, (double) forget / members);
    }
    return Math.min(1, risk);
  }

  /** That as many of all servers forget something: the figure that the paper quotes. */
  public static double amongAll(Thresholds thresholds, double p) {
    return atLeast(thresholds.shared(), thresholds.servers(), p);
  }

  /** That at least {@code least} of {@code count} happen, each with probability {@code p}. */
  private static double atLeast(int least, int count, double p) {
    Chance.checkProbability(p);
    double sum = 0;
    // The smallest terms first: they would vanish beside the large ones.
    for (int k = count; k >= least; k--) {
      sum += Chance.binomial(count, k) * Math.pow(p, k) * Math.pow(1 - p, count - k);
    }
    return sum;
  }
}
