package io.testudo.mutex.client;

import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.strawman.RandomRetry;
import io.testudo.mutex.strawman.StrawmanClient;
import io.testudo.mutex.strawman.StrawmanServer;
import io.testudo.mutex.strawman.StrawmanTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The strawman of the Sigma paper. <b>For comparison only; do not use it for anything else</b>, and
 * it says so in the log. It bears no liars, a server that restarts may break exclusion, and under
 * contention hardly anybody gets in. docs/strawman.md says what else it lacks.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param retry how long a client sleeps when it lost
 */
public record StrawmanBackend(LockTiming timing, RandomRetry retry) implements LockBackend {
  public static final String NAME = "strawman";

  private static final Logger LOG = LoggerFactory.getLogger(StrawmanBackend.class);

  /** With the sleeps of the paper's figures. */
  public StrawmanBackend(LockTiming timing) {
    this(timing, RandomRetry.standard());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public WireTypes types() {
    return StrawmanTypes.ALL;
  }

  @Override
  public Duration maxHold() {
    return Duration.ofNanos(timing.maxHoldNanos());
  }

  /**
   * How many grants are needed in such a cluster.
   *
   * @throws QuorumConfigurationException if servers may lie
   */
  public static Thresholds thresholds(int servers, int byzantine) {
    if (byzantine > 0) {
      throw new QuorumConfigurationException(
          "the strawman bears no liars, b=%d is configured".formatted(byzantine));
    }
    return Need.SIGMA.thresholds(servers, Need.SIGMA.mostFaults(servers));
  }

  /** {@inheritDoc} All servers are asked always; seals are not used. */
  @Override
  public Machine<ServerId> clientHalf(Member member) {
    warn();
    return new StrawmanClient(
        thresholds(member.servers(), member.byzantine()), timing, retry, member.entropy());
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self) {
    return serverHalf(self, LockScope.everything());
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self, LockScope scope) {
    warn();
    return new StrawmanServer(timing, scope);
  }

  private static void warn() {
    LOG.warn("The lock backend 'strawman' is for comparison only: take 'sigma' or 'backoff'.");
  }
}
