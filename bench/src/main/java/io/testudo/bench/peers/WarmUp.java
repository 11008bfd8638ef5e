package io.testudo.bench.peers;

import io.testudo.bench.driver.PeerWork;

/** One way in which a system is warmed up, again and again until it gets no faster. */
final class WarmUp {
  static final int LEAST_RUNS = 2;

  /** Who is still getting faster after so many runs is measured as it is. */
  static final int MOST_RUNS = 10;

  /** So many runs that are not the fastest by far are no chance, and no compiler that is behind. */
  private static final int RUNS_IN_VAIN = 2;

  /** Less than this is chance. */
  private static final double FASTER = 1.1;

  private final Peer peer;
  private final PeerWork work;
  private double best;
  private int runs;
  private int inVain;

  WarmUp(Peer peer, PeerWork work) {
    this.peer = peer;
    this.work = work;
  }

  Peer peer() {
    return peer;
  }

  PeerWork work() {
    return work;
  }

  /** Whether it has to run again, whatever the time. */
  boolean isDuty() {
    return runs < LEAST_RUNS;
  }

  /** It ran at this rate; 0 if it failed. */
  void ran(double rate) {
    runs++;
    inVain = rate > FASTER * best ? 0 : inVain + 1;
    best = Math.max(best, rate);
  }

  boolean isOver() {
    return !isDuty() && (inVain >= RUNS_IN_VAIN || runs >= MOST_RUNS);
  }
}
