package io.testudo.bench.comparing;

import com.google.common.primitives.ImmutableDoubleArray;

/**
 * The exact one-sided test of Mann, Whitney and Wilcoxon: how likely is it that the second sample
 * lies as far above the first as it does, if both were drawn alike? It knows nothing of the shape
 * of their distribution, and needs no more than a few rounds.
 */
final class RankSum {
  /** Beyond so many rounds of a side only the first count: the table of counts would grow. */
  private static final int MOST = 60;

  private RankSum() {}

  /** From 0 to 1; ties count half. */
  static double probability(ImmutableDoubleArray first, ImmutableDoubleArray second) {
    int n = Math.min(MOST, first.length());
    int m = Math.min(MOST, second.length());
    double above = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < m; j++) {
        int order = Double.compare(second.get(j), first.get(i));
        above += order > 0 ? 1 : order == 0 ? 0.5 : 0;
      }
    }
    double[] ways = ways(n, m);
    double all = 0;
    double asFar = 0;
    for (int pairs = 0; pairs < ways.length; pairs++) {
      all += ways[pairs];
      asFar += pairs >= above ? ways[pairs] : 0;
    }
    return asFar / all;
  }

  /** In how many orders of n and m values so many pairs have the second above the first. */
  private static double[] ways(int n, int m) {
    double[][] before = new double[m + 1][];
    for (int j = 0; j <= m; j++) {
      before[j] = new double[] {1};
    }
    for (int i = 1; i <= n; i++) {
      double[][] now = new double[m + 1][];
      now[0] = new double[] {1};
      for (int j = 1; j <= m; j++) {
        now[j] = new double[i * j + 1];
        // The largest value is one of the second, above all of the first; or one of the first.
        add(now[j], now[j - 1], i);
        add(now[j], before[j], 0);
      }
      before = now;
    }
    return before[m];
  }

  private static void add(double[] sum, double[] part, int shift) {
    for (int k = 0; k < part.length; k++) {
      sum[k + shift] += part[k];
    }
  }
}
