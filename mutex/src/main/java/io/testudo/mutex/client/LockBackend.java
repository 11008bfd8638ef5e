package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;

/**
 * A lock protocol that clients can use: one whose client half answers the calls of {@code
 * io.testudo.mutex.protocol} and tells of lost and renewed leases. All members of a cluster must be
 * given the same.
 */
public interface LockBackend {
  /** What {@link LockOptions#backend} calls it. */
  String name();

  /** What its halves say to each other and keep. */
  WireTypes types();

  /** The longest hold that its servers grant. */
  Duration maxHold();

  /**
   * A client half for all locks of a process.
   *
   * @throws io.testudo.quorum.QuorumConfigurationException if the cluster has too few servers
   */
  Machine<ServerId> clientHalf(Member member);

  /** The server half, for all names. */
  Machine<ClientId> serverHalf(ServerId self);

  /**
   * The server half where other protocols serve other names.
   *
   * @throws UnsupportedOperationException if this protocol does not share servers
   */
  default Machine<ClientId> serverHalf(ServerId self, LockScope scope) {
    throw new UnsupportedOperationException(name() + " does not share servers with others");
  }

  /**
   * A client of a cluster.
   *
   * @param servers how many there are
   * @param byzantine how many of them may lie
   * @param asked whom requests go to
   * @param session of the client's connections
   */
  record Member(
      int servers,
      int byzantine,
      LockOptions.Servers asked,
      long session,
      RankSeals seals,
      Entropy entropy) {}
}
