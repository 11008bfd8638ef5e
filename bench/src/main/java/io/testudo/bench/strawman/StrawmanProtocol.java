package io.testudo.bench.strawman;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;

/**
 * The strawman of the Sigma paper. <b>For comparison only; do not use it for anything else.</b> It
 * tolerates no liars, a server that restarts may break exclusion, and under contention hardly
 * anybody gets in. docs/strawman.md says what else it lacks.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param retry how long a client sleeps when it lost
 */
public record StrawmanProtocol(LockTiming timing, RandomRetry retry) implements LockProtocol {
  public static final String NAME = "strawman";

  /** With the sleeps of the paper's figures. */
  public StrawmanProtocol(LockTiming timing) {
    this(timing, RandomRetry.standard());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "clients lock by random retries, as a measure for what other protocols are worth";
  }

  @Override
  public ImmutableList<Need> needs() {
    return ImmutableList.of(SigmaProtocol.CRASHES);
  }

  @Override
  public WireTypes types() {
    return StrawmanTypes.ALL;
  }

  @Override
  public StrawmanProtocol withTiming(LockTiming other) {
    return new StrawmanProtocol(other, retry);
  }

  /** {@inheritDoc} All servers are asked always. */
  @Override
  public Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked) {
    if (byzantine > 0) {
      throw new QuorumConfigurationException(
          "the strawman tolerates no liars, b=%d is configured".formatted(byzantine));
    }
    return SigmaProtocol.CRASHES.thresholds(servers, SigmaProtocol.CRASHES.mostFaults(servers));
  }

  /** {@inheritDoc} Seals are not used. */
  @Override
  public Machine<ServerId> clientMachine(Member member) {
    return new StrawmanClient(member.thresholds(), timing, retry, member.entropy());
  }

  @Override
  public Machine<ClientId> serverMachine(LockScope scope, Entropy entropy) {
    return new StrawmanServer(timing, scope);
  }
}
