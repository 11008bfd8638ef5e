package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What a protocol asks of the sets of servers it waits for, as a value that the protocol declares
 * beside its own code. Every protocol here asks the same two things, in different measure, of any
 * two of its quorums and any b servers that fail:
 *
 * <ul>
 *   <li>consistency: two quorums share at least {@code sharedPerFault * b + 1} servers;
 *   <li>availability: a quorum exists without any {@code absentPerFault * b} servers.
 * </ul>
 *
 * <p>Quorums of q among n servers share at least 2q-n and can do without n-q. So the smallest
 * quorum, the largest one, and the least number of servers at which the two meet follow from these
 * measures alone. With b=0 no server fails: one shared server is enough, and one server is a
 * cluster.
 *
 * <p>What the counts mean while a protocol runs is in {@link Thresholds}.
 *
 * @param modeName the name by which people configure it, such as {@code sealed-ranks}
 * @param toleratesLiars whether the faults that it tolerates are lies; else servers are away or
 *     forget
 * @param sharedPerFault for each fault, two quorums share so many servers more than one
 * @param absentPerFault for each fault, a quorum does without so many servers
 * @param size the size of a quorum that it takes unless told
 * @param asksOneQuorum whether a client asks one quorum only, and b of it may deny; else it asks
 *     all
 * @param rankRefusals what ends a ballot whose rank is refused
 * @param countsReports whether reports of the same committed state prove that its commit is
 *     complete
 * @param origin a sentence that says where the need comes from
 */
public record Need(
    String modeName,
    boolean toleratesLiars,
    int sharedPerFault,
    int absentPerFault,
    Size size,
    boolean asksOneQuorum,
    RankRefusals rankRefusals,
    boolean countsReports,
    String origin) {
  /** What the quorum ping needs, and so every cluster of which b servers may lie. */
  public static final Need PING =
      ofLiars(
          "ping",
          1,
          1,
          Size.LARGEST,
          "The quorum ping waits for every server that b silent ones leave, and believes what b+1"
              + " say (docs/quorums.md).");

  /** Which size between the smallest and the largest a protocol takes unless told. */
  public enum Size {
    SMALLEST,
    LARGEST,
    TWO_THIRDS
  }

  /** How many refusals of its rank end a ballot. */
  public enum RankRefusals {
    /** There are no such ballots. */
    NOT_COUNTED,
    /** So many that one of those who refuse is correct. */
    VOUCHED,
    /** One: it shows a sealed rank, which proves itself. */
    SEALED
  }

  public Need {
    checkArgument(sharedPerFault > 0, "%s liars would be shared for each", sharedPerFault);
    checkArgument(absentPerFault > 0, "%s servers may be away for each fault", absentPerFault);
  }

  /** Of a protocol of which b servers may lie, and a client asks all. */
  public static Need ofLiars(
      String modeName, int sharedPerFault, int absentPerFault, Size size, String origin) {
    return new Need(
        modeName,
        true,
        sharedPerFault,
        absentPerFault,
        size,
        false,
        RankRefusals.NOT_COUNTED,
        false,
        origin);
  }

  /** Of a protocol of which f servers may be away or lose their memory, and none lies. */
  public static Need ofForgetful(
      String modeName, int sharedPerFault, int absentPerFault, Size size, String origin) {
    return new Need(
        modeName,
        false,
        sharedPerFault,
        absentPerFault,
        size,
        false,
        RankRefusals.NOT_COUNTED,
        false,
        origin);
  }

  /** The same for clients that ask one quorum, of which b may deny. */
  public Need askingOneQuorum() {
    return new Need(
        modeName,
        toleratesLiars,
        sharedPerFault,
        absentPerFault,
        size,
        true,
        rankRefusals,
        countsReports,
        origin);
  }

  /** The same for a protocol of ballots. */
  public Need counting(RankRefusals refusals, boolean reports) {
    return new Need(
        modeName,
        toleratesLiars,
        sharedPerFault,
        absentPerFault,
        size,
        asksOneQuorum,
        refusals,
        reports,
        origin);
  }

  /** The letter of the fault bound: b for servers that may lie, f for servers that may forget. */
  public String faultsLetter() {
    return toleratesLiars ? "b" : "f";
  }

  /** How many servers any two quorums must have in common. */
  public int sharedServers(int faults) {
    Limits.checkFaults(faultsLetter(), faults);
    return sharedPerFault * faults + 1;
  }

  /** How many servers may be missing, whichever they are, while a quorum is still there. */
  public int absentServers(int faults) {
    Limits.checkFaults(faultsLetter(), faults);
    return absentPerFault * faults;
  }

  /** The least number of servers with which {@code faults} of them can be tolerated. */
  public int leastServers(int faults) {
    return sharedServers(faults) + 2 * absentServers(faults);
  }

  /** The most faults that a cluster of this size can tolerate. */
  public int mostFaults(int servers) {
    Limits.checkServers(servers);
    return (servers - 1) / (sharedPerFault + 2 * absentPerFault);
  }

  /**
   * The most faults that a cluster of this size tolerates with a quorum of this size.
   *
   * @throws QuorumConfigurationException if such quorums need not meet
   */
  public int mostFaults(int servers, int quorum) {
    for (int faults = mostFaults(servers); faults > 0; faults--) {
      if (smallestQuorum(servers, faults) <= quorum && quorum <= largestQuorum(servers, faults)) {
        return faults;
      }
    }
    return thresholds(servers, 0, quorum).faults();
  }

  /** The thresholds with the quorum that the protocol takes unless told otherwise. */
  public Thresholds thresholds(int servers, int faults) {
    Thresholds.check(this, servers, faults);
    int quorum =
        switch (size) {
          case SMALLEST -> smallestQuorum(servers, faults);
          case LARGEST -> largestQuorum(servers, faults);
          case TWO_THIRDS -> (2 * servers + 2) / 3;
        };
    return new Thresholds(this, servers, faults, quorum);
  }

  /** The thresholds with a quorum of one's own choice, from the smallest to the largest. */
  public Thresholds thresholds(int servers, int faults, int quorum) {
    return new Thresholds(this, servers, faults, quorum);
  }

  int smallestQuorum(int servers, int faults) {
    return (servers + sharedServers(faults) + 1) / 2;
  }

  int largestQuorum(int servers, int faults) {
    return servers - absentServers(faults);
  }

  @Override
  public String toString() {
    return modeName;
  }
}
