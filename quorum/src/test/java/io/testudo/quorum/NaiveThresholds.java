package io.testudo.quorum;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The twin of {@link Need}: says by enumeration, in the words of each protocol, whether quorums of
 * a size do what the protocol relies on. All servers are alike, so the first quorum of each pair is
 * always the first servers.
 */
final class NaiveThresholds {
  private NaiveThresholds() {}

  /** All sizes of a quorum that are consistent and available, in ascending order. */
  static int[] quorumsThatWork(Need need, int servers, int faults) {
    return IntStream.rangeClosed(1, servers)
        .filter(quorum -> isAvailable(need, servers, faults, quorum))
        .filter(quorum -> isConsistent(need, servers, faults, quorum))
        .toArray();
  }

  private static boolean isAvailable(Need need, int servers, int faults, int quorum) {
    long all = (1L << servers) - 1;
    for (long silent : Subsets.ofFirst(servers, faults)) {
      long answering = all & ~silent;
      if (Needs.of(need) == Needs.ORDER_PLAIN) {
        // Up to b refusals do not stop a run, so it must go on with the others.
        for (long refusing : Subsets.of(answering, Math.min(faults, Long.bitCount(answering)))) {
          if (Long.bitCount(answering & ~refusing) < quorum) {
            return false;
          }
        }
      } else if (Long.bitCount(answering) < quorum) {
        return false;
      }
    }
    return true;
  }

  /** Tries all; -1 if no number of faults, not even none, goes with such quorums. */
  static int mostFaults(Need need, int servers, int quorum) {
    int most = -1;
    for (int faults = 0; need.leastServers(faults) <= servers; faults++) {
      boolean meet = 2 * quorum - servers >= need.sharedServers(faults);
      boolean reachable = quorum <= servers - need.absentServers(faults);
      most = meet && reachable ? faults : most;
    }
    return most;
  }

  private static boolean isConsistent(Need need, int servers, int faults, int quorum) {
    long one = (1L << quorum) - 1;
    long[] faultSets = Subsets.ofFirst(servers, faults);
    for (long other : Subsets.ofFirst(servers, quorum)) {
      for (long faulty : faultSets) {
        if (!isConsistent(need, faults, one, other, faulty)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isConsistent(Need need, int faults, long one, long other, long faulty) {
    int correctInBoth = Long.bitCount(one & other & ~faulty);
    return switch (Needs.of(need)) {
      // One correct server saw both: it refuses the second grant, or it shows the state.
      case LOCK_ALL_SERVERS, ORDER_SEALED_STATEMENTS, SIGMA, SIGMA_HARDENED -> correctInBoth >= 1;
      // Two readings share a correct server, and the correct ones of a reading can vouch.
      case PING -> correctInBoth >= 1 && Long.bitCount(one & ~faulty) >= faults + 1;
      // What a quorum stored is vouched for in the next.
      case ORDER_PLAIN, ORDER_SEALED_RANKS -> correctInBoth >= faults + 1;
      case LOCK_QUORUMS -> sharesACorrectGrant(faults, one, other, faulty);
    };
  }

  /** Whichever b servers deny in either quorum, some correct server granted to both. */
  private static boolean sharesACorrectGrant(int faults, long one, long other, long faulty) {
    long[] denialsOfOther = denials(other, faults);
    for (long denyOne : denials(one, faults)) {
      for (long denyOther : denialsOfOther) {
        if ((one & ~denyOne & other & ~denyOther & ~faulty) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static long[] denials(long quorum, int faults) {
    return Subsets.of(quorum, Math.min(faults, Long.bitCount(quorum)));
  }

  /** Whether among any so many servers there is a correct one, whichever are faulty. */
  static boolean alwaysHoldACorrectServer(int count, int servers, int faults) {
    long[] faultSets = Subsets.ofFirst(servers, faults);
    return Arrays.stream(Subsets.ofFirst(servers, count))
        .allMatch(set -> Arrays.stream(faultSets).allMatch(faulty -> (set & ~faulty) != 0));
  }

  /** Whether the correct ones of any so many servers can vouch for a state in every quorum. */
  static boolean areVouchedForInEveryQuorum(int count, int servers, int faults, int quorum) {
    long[] faultSets = Subsets.ofFirst(servers, faults);
    long[] quorums = Subsets.ofFirst(servers, quorum);
    for (long reporters : Subsets.ofFirst(servers, count)) {
      for (long faulty : faultSets) {
        for (long read : quorums) {
          if (Long.bitCount(reporters & ~faulty & read) < faults + 1) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
