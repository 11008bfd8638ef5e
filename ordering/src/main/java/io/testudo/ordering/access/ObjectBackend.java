package io.testudo.ordering.access;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.Readmitter;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Access;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.security.SecureRandom;
import java.util.List;

/**
 * How objects are kept: the protocol of a cluster, with a lock beside it. All members must be given
 * the same mode and lock.
 *
 * @param mode how much is sealed, and so how many servers it takes
 * @param timing a matter of each client
 * @param locks the lock that the same servers grant
 * @param turns by what clients settle who orders
 * @param quorums which sets of servers count; the same for all members
 * @param access whom clients ask first
 */
public record ObjectBackend(
    Mode mode,
    OrderTiming timing,
    LockProtocol locks,
    TurnsBy turns,
    QuorumKind quorums,
    Access access) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** With the usual timing and lock. */
  public ObjectBackend(Mode mode) {
    this(mode, OrderTiming.standard(), new BackoffProtocol(LockTiming.standard()));
  }

  /** With the usual quorums, and asking all servers. */
  public ObjectBackend(Mode mode, OrderTiming timing, LockProtocol locks, TurnsBy turns) {
    this(mode, timing, locks, turns, QuorumKind.STANDARD, Access.ALL);
  }

  /** With turns by rank, too. */
  public ObjectBackend(Mode mode, OrderTiming timing, LockProtocol locks) {
    this(mode, timing, locks, TurnsBy.RANK);
  }

  /** The same with other quorums, and with others asked first. */
  public ObjectBackend with(QuorumKind otherQuorums, Access otherAccess) {
    return new ObjectBackend(mode, timing, locks, turns, otherQuorums, otherAccess);
  }

  /** Everything sealed: the fewest servers, 3b+1, and the fewest round trips. */
  public static ObjectBackend standard() {
    return new ObjectBackend(Mode.SEALED_STATEMENTS);
  }

  public ObjectBackend withTiming(OrderTiming other) {
    return new ObjectBackend(mode, other, locks, turns, quorums, access);
  }

  public ObjectBackend withTurns(TurnsBy other) {
    return new ObjectBackend(mode, timing, locks, other, quorums, access);
  }

  /** What the machines say to each other and keep. */
  public WireTypes types() {
    return OrderingTypes.ALL.and(locks.types());
  }

  /** The machines of a server, in this order at each start. */
  public List<Machine<ClientId>> serverMachines(ServerId self) {
    return serverMachines(RANDOM::nextLong);
  }

  /** The same with a chance of one's own, for servers in virtual time. */
  public List<Machine<ClientId>> serverMachines(Entropy entropy) {
    return List.of(new OrderingServer(mode), locks.serverMachine(LockScope.everything(), entropy));
  }

  /**
   * What counts in a cluster of so many servers.
   *
   * @throws io.testudo.quorum.QuorumConfigurationException if there are too few for the mode
   */
  public Thresholds thresholds(int servers, int byzantine) {
    return quorums.thresholds(mode.need(), servers, byzantine);
  }

  /**
   * The machine that lets servers in again, on connections that have and had no object client.
   *
   * @param principal of the connections, as their session
   */
  public Machine<ServerId> readmitter(
      int servers,
      int byzantine,
      String principal,
      long session,
      ObjectSeals seals,
      Entropy entropy) {
    Thresholds thresholds = thresholds(servers, byzantine);
    return new Readmitter(
        thresholds, timing, entropy, clientMachine(thresholds, principal, session, seals, entropy));
  }

  /**
   * The machine of a client.
   *
   * @param principal of its connections, as their session
   */
  public OrderingClient clientMachine(
      Thresholds thresholds, String principal, long session, ObjectSeals seals, Entropy entropy) {
    OrderSeals own = seals.forProtocol(session);
    LockProtocol.Member member =
        new LockProtocol.Member(
            locks.thresholds(thresholds.servers(), thresholds.faults(), LockOptions.Servers.ALL),
            locks.access(),
            session,
            own.ofLocks(),
            entropy);
    return new OrderingClient(
        thresholds,
        access,
        mode,
        timing.withLongestTurn(locks.timing().maxHoldNanos()),
        OpId.sessionOf(principal, session),
        own,
        entropy,
        locks.clientMachine(member),
        turns);
  }
}
