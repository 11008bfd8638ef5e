package io.testudo.quorum;

import java.util.function.IntUnaryOperator;

/**
 * Any {@code quorumSize} of the servers are a quorum. The three factories are the thresholds of
 * Malkhi and Reiter, "Byzantine quorum systems", 1998; each takes the smallest quorum of its class.
 */
public record ThresholdQuorums(int servers, int faults, int quorumSize) implements QuorumSystem {

  public ThresholdQuorums {
    Limits.checkServers(servers);
    Limits.checkFaults("b", faults);
    Limits.checkEnough("b", faults, "a threshold system", 2 * faults + 1, servers);
    int smallest = servers / 2 + 1;
    int largest = servers - faults;
    if (quorumSize < smallest || quorumSize > largest) {
      throw new QuorumConfigurationException(
          "b=%d with %d servers needs a quorum of %d to %d, %s"
              .formatted(faults, servers, smallest, largest, Limits.configured(quorumSize)));
    }
  }

  /**
   * For data that proves itself, such as sealed statements: two quorums share a correct server.
   * Needs 3b+1 servers.
   */
  public static ThresholdQuorums dissemination(int servers, int faults) {
    check("a dissemination system", servers, faults, 3 * faults + 1);
    return new ThresholdQuorums(servers, faults, (servers + faults + 2) / 2);
  }

  /**
   * For data that does not prove itself: among the servers two quorums share, the correct ones are
   * the majority. Needs 4b+1 servers.
   */
  public static ThresholdQuorums masking(int servers, int faults) {
    check("a masking system", servers, faults, 4 * faults + 1);
    return new ThresholdQuorums(servers, faults, (servers + 2 * faults + 2) / 2);
  }

  /**
   * Masking without knowing b: the latest value also outvotes, within a quorum, the stale servers
   * and the liars together. Needs 5b servers.
   */
  public static ThresholdQuorums opaque(int servers, int faults) {
    check("an opaque system", servers, faults, 5 * faults);
    return new ThresholdQuorums(servers, faults, (2 * servers + 2 * faults + 2) / 3);
  }

  private static void check(String what, int servers, int faults, int least) {
    Limits.checkServers(servers);
    Limits.checkFaults("b", faults);
    Limits.checkEnough("b", faults, what, least, servers);
  }

  @Override
  public int intersection() {
    return 2 * quorumSize - servers;
  }

  @Override
  public int resilience() {
    return servers - quorumSize;
  }

  @Override
  public boolean containsQuorum(ServerSet answered) {
    return answered.intersect(ServerSet.firstN(servers)).size() >= quorumSize;
  }

  @Override
  public int leastOf(ServerSet some) {
    return Math.max(0, quorumSize - some.complement(servers).size());
  }

  /** Any set of the size will do, so it takes those servers first that the other does without. */
  @Override
  public int leastSharedWith(QuorumSystem other) {
    return Math.max(0, quorumSize + other.quorumSize() - servers);
  }

  @Override
  public double failureProbability(double p) {
    Chance.checkProbability(p);
    double failed = 0;
    for (int alive = 0; alive < quorumSize; alive++) {
      failed +=
          Chance.binomial(servers, alive) * Math.pow(1 - p, alive) * Math.pow(p, servers - alive);
    }
    return Math.min(1, failed);
  }

  @Override
  public ServerSet choose(ServerSet avoid, IntUnaryOperator pick) {
    ServerSet welcome = avoid.complement(servers);
    if (welcome.size() >= quorumSize) {
      return new ServerSet(Chance.subset(welcome.bits(), quorumSize, pick));
    }
    long rest = welcome.complement(servers).bits();
    return new ServerSet(welcome.bits() | Chance.subset(rest, quorumSize - welcome.size(), pick));
  }
}
