package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.mutex.sigma.SigmaTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The crash-recovery mutex Sigma, on servers that may lose their memory and need no disk. In a
 * cluster of which b servers may lie it is the hardened one.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param tuning likewise
 * @param grants how many servers must grant a lock; two thirds of them if empty
 */
public record SigmaBackend(LockTiming timing, SigmaTuning tuning, OptionalInt grants)
    implements LockBackend {
  public static final String NAME = SigmaServer.PROTOCOL;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** With the usual tuning, and grants of two thirds. */
  public SigmaBackend(LockTiming timing) {
    this(timing, SigmaTuning.standard(), OptionalInt.empty());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public WireTypes types() {
    return SigmaTypes.ALL;
  }

  @Override
  public Duration maxHold() {
    return Duration.ofNanos(timing.maxHoldNanos());
  }

  /** How many grants are needed in such a cluster, and what that bears. */
  public Thresholds thresholds(int servers, int byzantine) {
    if (byzantine > 0) {
      return grants.isPresent()
          ? Need.SIGMA_HARDENED.thresholds(servers, byzantine, grants.getAsInt())
          : Need.SIGMA_HARDENED.thresholds(servers, byzantine);
    }
    if (grants.isPresent()) {
      int faults = Need.SIGMA.mostFaults(servers, grants.getAsInt());
      return Need.SIGMA.thresholds(servers, faults, grants.getAsInt());
    }
    return Need.SIGMA.thresholds(servers, Need.SIGMA.mostFaults(servers));
  }

  /** {@inheritDoc} Ranks are not sealed: the order of requests is a matter of fairness only. */
  @Override
  public Machine<ServerId> clientHalf(Member member) {
    if (member.asked() != LockOptions.Servers.ALL) {
      throw new IllegalArgumentException(
          "Sigma asks all servers, its queues are there; leave the choice of servers at ALL.");
    }
    return new SigmaClient(
        thresholds(member.servers(), member.byzantine()), timing, tuning, member.entropy());
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self) {
    return serverHalf(self, LockScope.everything());
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self, LockScope scope) {
    return new SigmaServer(timing, tuning, scope, RANDOM::nextLong);
  }
}
