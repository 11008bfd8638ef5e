package io.testudo.quorum.ping;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Who reports which incarnation of whom. A server's claim about itself is one report; an
 * incarnation counts when enough servers report it or a higher one that one of them must be
 * correct, and a correct server reports only what a client heard from the server itself.
 */
final class Witnesses {
  private final Thresholds thresholds;

  /** {@code reports[about][by]}: the highest incarnation of one server that another reported. */
  private final long[][] reports;

  /** The (b+1)-th highest of each row, kept because every ping carries it. */
  private final long[] vouched;

  /**
   * A server that went back must not be forgiven because it starts a few times more. What is passed
   * on of it is so much higher; an operator takes it back, or lets the server in again with a
   * number above it.
   */
  static final long PENALTY = 2_000 * Counting.MIN_LEAP;

  /** What is passed on of those that went back, 0 for the others. */
  private final long[] penalties;

  Witnesses(Thresholds thresholds) {
    this.penalties = new long[thresholds.servers()];
    this.thresholds = thresholds;
    this.reports = new long[thresholds.servers()][thresholds.servers()];
    this.vouched = new long[thresholds.servers()];
  }

  /**
   * Takes an answer.
   *
   * @param fell whether it claims less than was known before
   */
  void hear(ServerId from, Pong pong, boolean fell) {
    if (fell) {
      penalize(from, pong);
    }
    for (int about = 0; about < reports.length; about++) {
      boolean isClaim = about == from.index();
      long reported = isClaim ? pong.incarnation() : pong.witnessed().of(new ServerId(about));
      if (reported > reports[about][from.index()]) {
        reports[about][from.index()] = reported;
        vouched[about] = kthHighest(reports[about], thresholds.vouchers());
      }
    }
  }

  /**
   * A number of a server that so many others report that one of them must be correct, and that the
   * server went past without saying it: it was in another life, of which it knows nothing. What is
   * passed on of it is higher from then on.
   *
   * @return 0 if there is none
   */
  long otherLife(ServerId server, Pong pong) {
    if (pong.leaps().isEmpty()) {
      return 0;
    }
    int vouchers = thresholds.vouchers();
    long[] skipped =
        IntStream.range(0, reports.length)
            .filter(by -> by != server.index())
            .mapToLong(by -> reports[server.index()][by])
            .filter(pong::skips)
            .toArray();
    if (skipped.length < vouchers) {
      return 0;
    }
    penalize(server, pong);
    return kthHighest(skipped, vouchers);
  }

  /** Unless what counts is so far above that somebody has done it before. */
  private void penalize(ServerId server, Pong pong) {
    int index = server.index();
    boolean isPenalized = vouched[index] - pong.incarnation() >= PENALTY / 2;
    if (penalties[index] == 0 && !isPenalized) {
      penalties[index] = known(index) + PENALTY;
    }
  }

  private static long kthHighest(long[] values, int k) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - k];
  }

  /** What the server itself says, at most. */
  long claimedBy(ServerId server) {
    return reports[server.index()][server.index()];
  }

  /** What counts. */
  long vouched(ServerId server) {
    return vouched[server.index()];
  }

  /** What no correct server may fall behind: its own word, or what counts. */
  Incarnations known() {
    return Incarnations.of(vouched.length, this::known);
  }

  /**
   * What this client may pass on: the very numbers that servers said of themselves, each over its
   * own channel. What counts is at least as high as one of them and need not be one: a liar chooses
   * it within a leap.
   */
  Incarnations heard() {
    return Incarnations.of(vouched.length, this::heard);
  }

  private long known(int index) {
    return Math.max(vouched[index], heard(index));
  }

  private long heard(int index) {
    return Math.max(reports[index][index], penalties[index]);
  }
}
