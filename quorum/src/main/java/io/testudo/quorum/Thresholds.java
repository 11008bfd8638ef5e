package io.testudo.quorum;

/**
 * The numbers by which one protocol counts answers in one cluster, and the sets of servers that
 * count as its quorums. All numbers are counts of distinct servers; where a set is at hand, ask
 * about the set, since in a grid not all sets of one size are alike.
 *
 * <p>A record of this type is valid: its cluster has enough servers for the need, and its quorums
 * are neither too small to be consistent nor too large to be available.
 *
 * @param quorums the sets that count, the same for all clients of a deployment
 */
public record Thresholds(Need need, QuorumSystem quorums) {

  public Thresholds {
    check(need, quorums.servers(), quorums.faults());
    if (!quorums.meets(need)) {
      throw new QuorumConfigurationException(
          ("mode %s with %s=%d needs quorums that share %d servers and do without %d;"
                  + " in the %s two share %d, and %d may be away")
              .formatted(
                  need.modeName(),
                  need.faultsLetter(),
                  quorums.faults(),
                  need.sharedServers(quorums.faults()),
                  need.absentServers(quorums.faults()),
                  quorums,
                  quorums.intersection(),
                  quorums.resilience()));
    }
  }

  /** Any so many of the servers are a quorum. */
  public Thresholds(Need need, int servers, int faults, int quorum) {
    this(need, checked(need, servers, faults, quorum));
  }

  private static ThresholdQuorums checked(Need need, int servers, int faults, int quorum) {
    check(need, servers, faults);
    int smallest = need.smallestQuorum(servers, faults);
    int largest = need.largestQuorum(servers, faults);
    if (quorum < smallest || quorum > largest) {
      throw new QuorumConfigurationException(
          "%s=%d in mode %s with %d servers needs a quorum of %s, %s"
              .formatted(
                  need.faultsLetter(),
                  faults,
                  need.modeName(),
                  servers,
                  smallest == largest ? "exactly " + smallest : smallest + " to " + largest,
                  Limits.configured(quorum)));
    }
    return new ThresholdQuorums(servers, faults, quorum);
  }

  static void check(Need need, int servers, int faults) {
    Limits.checkServers(servers);
    int least = need.leastServers(faults);
    Limits.checkEnough(need.faultsLetter(), faults, "mode " + need.modeName(), least, servers);
  }

  /** A smaller quorum would not be consistent. */
  public int smallestQuorum() {
    return need.smallestQuorum(servers(), faults());
  }

  /** A larger quorum would not be available. */
  public int largestQuorum() {
    return need.largestQuorum(servers(), faults());
  }

  /** How many servers there are. */
  public int servers() {
    return quorums.servers();
  }

  /** How many of them may fail at once. */
  public int faults() {
    return quorums.faults();
  }

  /** How many servers make a quorum. In a grid not every set of so many is one. */
  public int quorum() {
    return quorums.quorumSize();
  }

  /** Whether these servers, whoever else was asked, include a quorum. */
  public boolean isQuorum(ServerSet answered) {
    return quorums.containsQuorum(answered);
  }

  /** Whether no quorum is left without these servers: they stay away, or answer against it. */
  public boolean isBlockedBy(ServerSet against) {
    return quorums.leastOf(against) > 0;
  }

  /**
   * Whether it is proven that no quorum has what these servers say they lack, though as many of
   * them may lie as can: every quorum has more of them than that.
   */
  public boolean excludesAQuorum(ServerSet lacking) {
    return quorums.leastOf(lacking) > faults();
  }

  /**
   * Whether those that consented are enough: to hold a lock, to store a state. Whom else a client
   * asked does not matter. It is a quorum, less the denials that the need itself makes up for.
   */
  public boolean isConsent(ServerSet consenting) {
    return need.asksOneQuorum()
        ? consenting.intersect(ServerSet.firstN(servers())).size() >= consents()
        : isQuorum(consenting);
  }

  /**
   * The least number of servers that an enough of these and an enough of others have in common:
   * what clients have to share that count in different ways.
   */
  public int sharedWith(Thresholds other) {
    return consenting().leastSharedWith(other.consenting());
  }

  /** The sets that are enough, as quorums of their own. */
  private QuorumSystem consenting() {
    return need.asksOneQuorum() ? new ThresholdQuorums(servers(), faults(), consents()) : quorums;
  }

  /**
   * The least number of servers that two quorums share. In Sigma this many resets among a holder's
   * servers may break exclusion, and one less cannot.
   */
  public int shared() {
    return quorums.intersection();
  }

  /**
   * How many servers must say the same before it is believed: one of them is correct. Where no
   * server lies, one is enough. A client's seal that was checked vouches by itself; what was not
   * checked, or cannot be, needs as many in every mode.
   */
  public int vouchers() {
    return need.toleratesLiars() ? faults() + 1 : 1;
  }

  /** How many more servers may fail when so many have; negative if these are too many already. */
  public int faultsLeft(int failed) {
    return faults() - failed;
  }

  /** How many servers a client asks at once. */
  public int asked() {
    return need.asksOneQuorum() ? quorum() : servers();
  }

  /**
   * How many of the asked servers must consent: grant a lock, store a state. It is a quorum, less
   * the denials that the need itself makes up for.
   */
  public int consents() {
    return need.asksOneQuorum() ? quorum() - faults() : quorum();
  }

  /** How many of the asked servers may deny before the attempt is lost; one more ends it. */
  public int toleratedDenials() {
    return asked() - consents();
  }

  /**
   * Of what enough servers consented to, how many of those that tell what they remember can tell at
   * least: not those that are silent, that have forgotten it, or that lie.
   *
   * @param telling servers that tell what they remember, truly or not
   * @param forgetful others that are known to have forgotten all; they are among those that fail
   */
  public int thatRemember(int telling, int forgetful) {
    return consents() - (servers() - telling) - liarsBeside(forgetful);
  }

  /** How many servers may lie when so many have failed in another way. */
  public int liarsBeside(int failed) {
    return Math.max(0, faultsLeft(failed));
  }

  /** So many servers answer, whoever is silent. Who waits for more may wait for ever. */
  public int responsive() {
    return servers() - faults();
  }

  /** So many servers that stay away or answer against it make a quorum impossible. */
  public int blocking() {
    return servers() - quorum() + 1;
  }

  /**
   * So many servers that say they lack something prove that no quorum has it: as many as may lie,
   * and enough correct ones to leave none.
   */
  public int lackingThatExcludeAQuorum() {
    return blocking() + faults();
  }

  /**
   * How many refusals of its rank end an ordering run. A sealed rank proves itself; without seals
   * one of the refusing servers must be correct.
   *
   * @throws UnsupportedOperationException if the need has no such rule
   */
  public int refusalsToGiveUp() {
    return switch (need.rankRefusals()) {
      case VOUCHED -> faults() + 1;
      case SEALED -> 1;
      case NOT_COUNTED -> throw notCountedHere("refusals of a rank");
    };
  }

  /**
   * How many replies that report the same committed state prove that its commit is complete: of
   * their correct senders every quorum holds enough to vouch for the state. They fit into a quorum
   * of replies.
   *
   * @throws UnsupportedOperationException if the need has no such rule
   */
  public int repliesThatSettleACommit() {
    if (!need.countsReports()) {
      throw notCountedHere("reports of a committed state");
    }
    return servers() - quorum() + faults() + vouchers();
  }

  @Override
  public String toString() {
    return "mode %s: %d servers, %s=%d, quorum %d"
        .formatted(need.modeName(), servers(), need.faultsLetter(), faults(), quorum());
  }

  private UnsupportedOperationException notCountedHere(String what) {
    return new UnsupportedOperationException("mode " + need.modeName() + " does not count " + what);
  }
}
