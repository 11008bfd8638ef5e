package io.testudo.quorum;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The twin of the constructions: all minimal quorums written out, and every property checked word
 * for word by its definition. Slow, obvious, and sharing no formula with the code under test.
 */
final class NaiveQuorums {
  private final int servers;
  private final int faults;
  private final long[] quorums;

  private NaiveQuorums(int servers, int faults, long[] quorums) {
    this.servers = servers;
    this.faults = faults;
    this.quorums = quorums;
  }

  static NaiveQuorums threshold(int servers, int faults, int quorum) {
    return new NaiveQuorums(servers, faults, Subsets.ofFirst(servers, quorum));
  }

  /** Whole rows and whole columns of a square whose servers are numbered row by row. */
  static NaiveQuorums lines(int side, int faults, int rows, int columns) {
    LongStream.Builder quorums = LongStream.builder();
    for (long rowSet : Subsets.ofFirst(side, rows)) {
      for (long columnSet : Subsets.ofFirst(side, columns)) {
        long quorum = 0;
        for (int row = 0; row < side; row++) {
          for (int column = 0; column < side; column++) {
            if ((rowSet >> row & 1) == 1 || (columnSet >> column & 1) == 1) {
              quorum |= 1L << (row * side + column);
            }
          }
        }
        quorums.add(quorum);
      }
    }
    return new NaiveQuorums(side * side, faults, quorums.build().toArray());
  }

  int servers() {
    return servers;
  }

  int faults() {
    return faults;
  }

  List<ServerSet> quorums() {
    return Arrays.stream(quorums).mapToObj(ServerSet::new).toList();
  }

  /** For every B some quorum avoids B; with another count of absent servers in place of b. */
  boolean isAvailableWithout(int absent) {
    return Arrays.stream(Subsets.ofFirst(servers, absent))
        .allMatch(gone -> Arrays.stream(quorums).anyMatch(quorum -> (quorum & gone) == 0));
  }

  boolean isDissemination() {
    return isAvailableWithout(faults)
        && forAllPairsAndFaultSets((one, other, faulty) -> (one & other & ~faulty) != 0);
  }

  boolean isMasking() {
    return isAvailableWithout(faults) && leastIntersection() >= 2 * faults + 1;
  }

  boolean isOpaque() {
    return isAvailableWithout(faults)
        && forAllPairsAndFaultSets(
            (one, other, faulty) -> {
              int fresh = Long.bitCount(one & other & ~faulty);
              int lying = Long.bitCount(other & faulty);
              int lyingOrStale = Long.bitCount((other & faulty) | (other & ~one));
              return fresh >= lyingOrStale && fresh > lying;
            });
  }

  int leastIntersection() {
    int least = servers;
    for (long one : quorums) {
      for (long other : quorums) {
        least = Math.min(least, Long.bitCount(one & other));
      }
    }
    return least;
  }

  int resilience() {
    int absent = 0;
    while (isAvailableWithout(absent + 1)) {
      absent++;
    }
    return absent;
  }

  boolean containsQuorum(long answered) {
    return Arrays.stream(quorums).anyMatch(quorum -> (quorum & ~answered) == 0);
  }

  /** No strategy has less load than this: the smallest quorum's share of the servers. */
  double leastConceivableLoad() {
    int smallest = Arrays.stream(quorums).mapToInt(Long::bitCount).min().orElseThrow();
    return (double) smallest / servers;
  }

  /** How often the busiest server is asked when every quorum is drawn equally often. */
  double loadOfDrawingEachEquallyOften() {
    long busiest = 0;
    for (int server = 0; server < servers; server++) {
      long bit = 1L << server;
      busiest = Math.max(busiest, Arrays.stream(quorums).filter(q -> (q & bit) != 0).count());
    }
    return (double) busiest / quorums.length;
  }

  /** Adds up the probability of every set of servers without which there is no quorum. */
  double failureProbability(double p) {
    return Subsets.ofFirst(servers)
        .filter(alive -> !containsQuorum(alive))
        .mapToDouble(
            alive ->
                Math.pow(1 - p, Long.bitCount(alive)) * Math.pow(p, servers - Long.bitCount(alive)))
        .sum();
  }

  int fewestIn(long avoided) {
    return Arrays.stream(quorums).mapToInt(q -> Long.bitCount(q & avoided)).min().orElseThrow();
  }

  private interface Definition {
    boolean holds(long one, long other, long faulty);
  }

  private boolean forAllPairsAndFaultSets(Definition definition) {
    long[] faultSets = Subsets.ofFirst(servers, faults);
    for (long one : quorums) {
      for (long other : quorums) {
        for (long faulty : faultSets) {
          if (!definition.holds(one, other, faulty)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
