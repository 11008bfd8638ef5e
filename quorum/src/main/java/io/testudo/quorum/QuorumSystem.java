package io.testudo.quorum;

import java.util.function.IntUnaryOperator;

/**
 * Sets of servers, quorums, of which any two meet in enough servers to outvote the faulty ones they
 * share. The constructions here treat all servers alike: their minimal quorums have one size, and
 * each server is in equally many of them.
 */
public interface QuorumSystem {
  /** How many servers there are: s0 to s(n-1). */
  int servers();

  /** How many servers may be faulty at once: b. */
  int faults();

  /** The size of a minimal quorum. */
  int quorumSize();

  /** The least number of servers that two quorums have in common. */
  int intersection();

  /** The largest number such that a quorum is left when so many servers, any, are gone. */
  int resilience();

  /** Whether the servers that answered include a whole quorum. Servers beyond n are ignored. */
  boolean containsQuorum(ServerSet answered);

  /**
   * The probability that no quorum is fully alive when each server fails on its own with
   * probability {@code p}. Computed by adding positive terms only, so that tiny results are as
   * accurate as large ones.
   */
  double failureProbability(double p);

  /**
   * A quorum with as few of the avoided servers as possible; among those quorums each is equally
   * likely, which keeps the load even.
   *
   * @param avoid for instance suspected servers; they are taken only where there is no way around
   * @param pick draws a number from 0 to below its argument, each with the same probability
   */
  ServerSet choose(ServerSet avoid, IntUnaryOperator pick);

  /** The least number of these servers that a quorum has. */
  default int leastOf(ServerSet some) {
    return choose(some, below -> 0).intersect(some).size();
  }

  /**
   * The least number of servers that a quorum of this system and one of another system have in
   * common, on the same servers. Two systems that are consistent by themselves need not be so
   * together: a grid of 64 servers and half of them and one more may have none in common.
   */
  int leastSharedWith(QuorumSystem other);

  /**
   * How often the busiest server is asked, per access, when quorums are chosen as well as possible
   * (Naor and Wool, 1998). No strategy does better than size/n, because an access asks at least
   * that share of the servers on average; with all servers alike, drawing each quorum equally often
   * does as well.
   */
  default double load() {
    return (double) quorumSize() / servers();
  }

  /** Whether these quorums are consistent and available enough for a protocol. */
  default boolean meets(Need need) {
    return intersection() >= need.sharedServers(faults())
        && resilience() >= need.absentServers(faults());
  }
}
