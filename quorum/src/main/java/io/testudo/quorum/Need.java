package io.testudo.quorum;

/**
 * What a protocol asks of the sets of servers it waits for. Every protocol here asks the same two
 * things, in different measure, of any two of its quorums and any b servers that fail:
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
 */
public enum Need {
  PING(
      "ping",
      "b",
      1,
      1,
      Choice.LARGEST,
      "The quorum ping waits for every server that b silent ones leave, and believes what b+1 say"
          + " (docs/quorums.md)."),
  LOCK_ALL_SERVERS(
      "all-servers",
      "b",
      1,
      1,
      Choice.SMALLEST,
      "The backoff mutex when a client asks all servers: two holders' grants share a correct server"
          + " (derived from Chockler, Malkhi, Reiter 2001)."),
  LOCK_QUORUMS(
      "quorums",
      "b",
      3,
      1,
      Choice.LARGEST,
      "The backoff mutex when a client asks one quorum and accepts b denials in it: the shared"
          + " servers survive b denials on either side and b liars (Chockler, Malkhi, Reiter"
          + " 2001)."),
  ORDER_PLAIN(
      "plain",
      "b",
      2,
      2,
      Choice.LARGEST,
      "Ordering without seals: b+1 correct servers carry a state from one quorum to the next, and a"
          + " run outlives b silent servers and b that refuse its rank (Chockler, Malkhi, Reiter"
          + " 2001, section 5)."),
  ORDER_SEALED_RANKS(
      "sealed-ranks",
      "b",
      2,
      1,
      Choice.LARGEST,
      "Ordering with sealed ranks: as plain, but no server can invent a refusal (Chockler, Malkhi,"
          + " Reiter 2001, section 5)."),
  ORDER_SEALED_STATEMENTS(
      "sealed-statements",
      "b",
      1,
      1,
      Choice.LARGEST,
      "Ordering with sealed statements: one correct server carries a state to the next quorum,"
          + " because liars can only withhold or repeat (beyond Chockler, Malkhi, Reiter 2001)."),
  SIGMA(
      "sigma",
      "f",
      1,
      1,
      Choice.TWO_THIRDS,
      "The crash-recovery mutex: f servers lose their memory or are down, none lies, and two"
          + " thirds of the servers grant (Lin, Lian, Chen, Zhang 2004; Chen, Lin, Lian, Zhang"
          + " 2005)."),
  SIGMA_HARDENED(
      "sigma-hardened",
      "b",
      1,
      1,
      Choice.TWO_THIRDS,
      "Sigma where b servers may lie or lose their memory: two holders' grants share a server that"
          + " does neither, and what only liars may say is believed from b+1 (docs/sigma.md).");

  /** Which size between the smallest and the largest a protocol takes unless told. */
  private enum Choice {
    SMALLEST,
    LARGEST,
    TWO_THIRDS
  }

  private final String modeName;
  private final String faultsLetter;
  private final int sharedPerFault;
  private final int absentPerFault;
  private final Choice choice;
  private final String origin;

  Need(
      String modeName,
      String faultsLetter,
      int sharedPerFault,
      int absentPerFault,
      Choice choice,
      String origin) {
    this.modeName = modeName;
    this.faultsLetter = faultsLetter;
    this.sharedPerFault = sharedPerFault;
    this.absentPerFault = absentPerFault;
    this.choice = choice;
    this.origin = origin;
  }

  /** The name by which people configure it, such as {@code sealed-ranks}. */
  public String modeName() {
    return modeName;
  }

  /** A sentence that says where the need comes from. */
  public String origin() {
    return origin;
  }

  /** The letter of the fault bound: b for servers that may lie, f for servers that may forget. */
  public String faultsLetter() {
    return faultsLetter;
  }

  /** Whether the faults that it tolerates are lies; else servers are away or forget. */
  public boolean toleratesLiars() {
    return faultsLetter.equals("b");
  }

  /** How many servers any two quorums must have in common. */
  public int sharedServers(int faults) {
    Limits.checkFaults(faultsLetter, faults);
    return sharedPerFault * faults + 1;
  }

  /** How many servers may be missing, whichever they are, while a quorum is still there. */
  public int absentServers(int faults) {
    Limits.checkFaults(faultsLetter, faults);
    return absentPerFault * faults;
  }

  /** The least number of servers with which {@code faults} of them can be borne. */
  public int leastServers(int faults) {
    return sharedServers(faults) + 2 * absentServers(faults);
  }

  /** The most faults that a cluster of this size can bear. */
  public int mostFaults(int servers) {
    Limits.checkServers(servers);
    return (servers - 1) / (sharedPerFault + 2 * absentPerFault);
  }

  /**
   * The most faults that a cluster of this size can bear with a quorum of this size.
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
        switch (choice) {
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
}
