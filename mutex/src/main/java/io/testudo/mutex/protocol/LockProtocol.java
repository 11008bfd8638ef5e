package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.quorum.Access;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;

/**
 * All that others must know of a lock protocol, as an immutable value that is declared in the
 * protocol's own package. Configuration, commands, clients, the simulator and the bench read it, so
 * that a new protocol is its package and one line in {@code LockProtocols}. Its client machine
 * answers the calls of this package and tells of lost and renewed leases. All members of a cluster
 * must be given the same value.
 */
public interface LockProtocol {
  /** What configurations and {@link LockOptions#backend} call it. */
  String name();

  /** One sentence on what a simulation of it shows. */
  String description();

  /** The ways in which it can ask servers, the usual one first. */
  ImmutableList<Need> needs();

  /** What its machines say to each other and keep. */
  WireTypes types();

  /** The same for all members of a cluster. */
  LockTiming timing();

  /** The same protocol with other time bounds. */
  LockProtocol withTiming(LockTiming timing);

  /** What a deployment may choose about it beside the time bounds. */
  default ImmutableList<LockChoice> choices() {
    return ImmutableList.of();
  }

  /**
   * The same protocol as a deployment has chosen it.
   *
   * @throws IllegalArgumentException if that cannot be, with what can
   */
  default LockProtocol withChoices(ChosenValues chosen) {
    return this;
  }

  /** The longest hold that its servers grant. */
  default Duration maxHold() {
    return Duration.ofNanos(timing().maxHoldNanos());
  }

  /**
   * How many servers must answer and grant in such a cluster.
   *
   * @param byzantine how many of the servers may lie
   * @param asked whom requests go to
   * @throws io.testudo.quorum.QuorumConfigurationException if the servers are too few
   * @throws IllegalArgumentException if requests cannot go to those
   */
  Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked);

  /** Whom requests go to, in one of its ways to ask servers. */
  default LockOptions.Servers asked(Need need) {
    return LockOptions.Servers.ALL;
  }

  /** Whom clients ask first unless a call says otherwise. */
  default Access access() {
    return Access.ALL;
  }

  /** A client machine for all locks of a process. */
  Machine<ServerId> clientMachine(Member member);

  /**
   * A server machine, as it is at a start.
   *
   * @param scope the names that it serves; other protocols may serve others
   */
  Machine<ClientId> serverMachine(LockScope scope, Entropy entropy);

  /** Whether its servers keep anything on disk. */
  default boolean keepsJournal() {
    return types().all().stream().anyMatch(type -> StateRecord.class.isAssignableFrom(type.type()));
  }

  /**
   * What the journal of a server begins with that lost its disk and is readmitted: enough for it to
   * contradict nothing that it granted before.
   */
  default ImmutableList<StateRecord> readmitted(long wallMillis) {
    return ImmutableList.of();
  }

  /**
   * A client of a cluster.
   *
   * @param thresholds of one of the protocol's needs
   * @param access whom it asks first
   * @param session of the client's connections
   */
  record Member(
      Thresholds thresholds, Access access, long session, RankSeals seals, Entropy entropy) {
    /** One that asks all. */
    public Member(Thresholds thresholds, long session, RankSeals seals, Entropy entropy) {
      this(thresholds, Access.ALL, session, seals, entropy);
    }
  }
}
