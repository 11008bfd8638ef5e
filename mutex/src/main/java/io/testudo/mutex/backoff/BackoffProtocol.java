package io.testudo.mutex.backoff;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.mutex.protocol.ChosenValues;
import io.testudo.mutex.protocol.LockChoice;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Access;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;

/**
 * The timed backoff mutex, on servers of which b may lie.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param tuning a matter of each client
 * @param quorums which sets of grants are enough; the same for all clients
 * @param access whom clients ask first unless a call says otherwise
 */
public record BackoffProtocol(
    LockTiming timing, BackoffTuning tuning, QuorumKind quorums, Access access)
    implements LockProtocol {
  public static final String NAME = BackoffServer.PROTOCOL;

  private static final String EXPONENTIAL = "exponential";
  private static final String ALL = "all";
  private static final double LEAST_FACTOR = 1.1;
  private static final double MOST_FACTOR = 16;
  private static final Duration MOST_SLEEP = Duration.ofHours(1);

  /** When a client asks all servers. */
  public static final Need ALL_SERVERS =
      Need.ofLiars(
          "all-servers",
          1,
          1,
          Need.Size.SMALLEST,
          "The backoff mutex when a client asks all servers: two holders' grants share a correct"
              + " server (derived from Chockler, Malkhi, Reiter 2001).");

  /** When a client asks one quorum. */
  public static final Need QUORUMS =
      Need.ofLiars(
              "quorums",
              3,
              1,
              Need.Size.LARGEST,
              "The backoff mutex when a client asks one quorum and accepts b denials in it: the"
                  + " shared servers survive b denials on either side and b liars (Chockler,"
                  + " Malkhi, Reiter 2001).")
          .askingOneQuorum();

  /** With the usual tuning. */
  public BackoffProtocol(LockTiming timing) {
    this(timing, BackoffTuning.standard());
  }

  /** With the usual quorums, and asking all servers. */
  public BackoffProtocol(LockTiming timing, BackoffTuning tuning) {
    this(timing, tuning, QuorumKind.STANDARD, Access.ALL);
  }

  /** The same, with other sets of grants that are enough, and other servers asked first. */
  public BackoffProtocol with(QuorumKind otherQuorums, Access otherAccess) {
    return new BackoffProtocol(timing, tuning, otherQuorums, otherAccess);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "clients lock by the timed backoff mutex; nobody holds a lock that another holds";
  }

  @Override
  public ImmutableList<Need> needs() {
    return ImmutableList.of(ALL_SERVERS, QUORUMS);
  }

  @Override
  public WireTypes types() {
    return BackoffTypes.ALL;
  }

  @Override
  public BackoffProtocol withTiming(LockTiming other) {
    return new BackoffProtocol(other, tuning, quorums, access);
  }

  @Override
  public ImmutableList<LockChoice> choices() {
    return ImmutableList.of(
        new LockChoice(
            "law",
            EXPONENTIAL,
            "How the sleeps between attempts grow: exponential as in the paper, linear or constant."
                + " Slower growth wakes sooner and suits few contenders."),
        new LockChoice(
            "factor",
            "2.0",
            "By what an exponential sleep grows with each attempt. More spreads many contenders"
                + " sooner, and makes the unlucky wait for longer."),
        new LockChoice(
            "unit",
            "observed",
            "What the first sleep is measured in: observed turns and round trips, or, as in the"
                + " paper, hold + 2 delay, which fits where holds are used up."),
        new LockChoice(
            "longest-sleep",
            "10s",
            "No sleep is longer. A sleeper may find a lock free that was so for as long."),
        new LockChoice(
            "quorums",
            QuorumKind.STANDARD.word(),
            "Which sets of grants are enough: standard and least are thresholds, grid and m-grid"
                + " lines of a square of servers, which are fewer in large clusters."),
        new LockChoice(
            "access",
            ALL,
            "Whom clients ask first: all, or one quorum, and the others when one of it is late."));
  }

  @Override
  public BackoffProtocol withChoices(ChosenValues chosen) {
    double factor = chosen.fraction("factor", 2, LEAST_FACTOR, MOST_FACTOR);
    BackoffLaw law =
        switch (chosen.word("law", EXPONENTIAL, "linear", "constant")) {
          case "linear" -> BackoffLaw.polynomial(1);
          case "constant" -> BackoffLaw.constant();
          default -> BackoffLaw.exponential(factor);
        };
    Duration longest = Duration.ofNanos(tuning.longestSleepNanos());
    return new BackoffProtocol(
        timing,
        tuning
            .withLaw(law)
            .withPaperUnit(chosen.word("unit", "observed", "paper").equals("paper"))
            .withLongestSleep(
                chosen.duration("longest-sleep", longest, Duration.ofMillis(1), MOST_SLEEP)),
        QuorumKind.named(chosen.word("quorums", "standard", "least", "grid", "m-grid")),
        chosen.word("access", ALL, "quorum").equals(ALL) ? Access.ALL : Access.QUORUM);
  }

  @Override
  public Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked) {
    return switch (asked) {
      case CONFIGURED, ALL, QUORUM_FIRST -> quorums.thresholds(ALL_SERVERS, servers, byzantine);
      case QUORUM -> ofOneQuorum(servers, byzantine);
    };
  }

  /**
   * Beside clients that count lines of a square, it takes n-2b grants: a quorum of lines has 3b+1
   * servers or more, so that b+1 are in both. The least thresholds need not meet it.
   */
  private Thresholds ofOneQuorum(int servers, int byzantine) {
    boolean countsLines = quorums == QuorumKind.GRID || quorums == QuorumKind.M_GRID;
    return (countsLines ? QuorumKind.STANDARD : quorums).thresholds(QUORUMS, servers, byzantine);
  }

  @Override
  public LockOptions.Servers asked(Need need) {
    return need.asksOneQuorum() ? LockOptions.Servers.QUORUM : LockOptions.Servers.ALL;
  }

  @Override
  public Machine<ServerId> clientMachine(Member member) {
    return new BackoffClient(
        member.thresholds(),
        member.access(),
        timing,
        tuning,
        member.session(),
        member.seals(),
        member.entropy());
  }

  @Override
  public Machine<ClientId> serverMachine(LockScope scope, Entropy entropy) {
    return new BackoffServer(timing, scope);
  }

  /**
   * {@inheritDoc} Locks are granted above any rank it may have granted, and not before what it
   * granted is over, as after any restart.
   */
  @Override
  public ImmutableList<StateRecord> readmitted(long wallMillis) {
    return ImmutableList.of(
        new LongestLease(timing.serverLeaseNanos(timing.maxLeaseNanos())),
        new RankCeiling(BackendTable.fenceFloorAt(wallMillis, timing)),
        new CeilingsKnown(false));
  }
}
