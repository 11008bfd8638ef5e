package io.testudo.quorum.ping;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Arrays;

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
  static final long PENALTY = 1_000;

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
    if (fell && penalties[from.index()] == 0 && !isPenalized(from, pong.incarnation())) {
      penalties[from.index()] = known().of(from) + PENALTY;
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

  /**
   * What this client may pass on: a server's own word, which came over its own channel, or what
   * counts. Never what single others say.
   */
  Incarnations known() {
    Incarnations known = Incarnations.of(vouched);
    for (int index = 0; index < vouched.length; index++) {
      ServerId server = new ServerId(index);
      if (claimedBy(server) > vouched[index]) {
        known = known.with(server, claimedBy(server));
      }
      if (penalties[index] > known.of(server)) {
        known = known.with(server, penalties[index]);
      }
    }
    return known;
  }

  /** Whether what counts is so far above that somebody has punished it before. */
  private boolean isPenalized(ServerId server, long claimed) {
    return vouched(server) - claimed >= PENALTY / 2;
  }
}
