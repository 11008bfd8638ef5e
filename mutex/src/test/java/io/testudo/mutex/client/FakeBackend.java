package io.testudo.mutex.client;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;
import java.util.List;

/** A backend whose client machine is a {@link FakeMachine}. */
final class FakeBackend implements LockProtocol {
  /** Neither renewed nor lost while a test runs. */
  static final LockOptions LONG =
      LockOptions.standard().withHold(Duration.ofMinutes(10)).withoutAutoRenewal();

  /** Lost at once, as it were. */
  static final LockOptions SHORT =
      LockOptions.standard().withHold(Duration.ofMillis(1)).withoutAutoRenewal();

  final FakeMachine machine = new FakeMachine();

  /** What happens while the machine for those that ask quorums is opened. */
  Runnable whenQuorumsAreOpened = () -> {};

  /** A process without servers to connect to. */
  static NettyClient connections() {
    return NettyClient.connect(
        List.of(), ClientCredentials.open("none", "alice"), LinkLimits.standard(), WireTypes.of());
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public WireTypes types() {
    return WireTypes.of();
  }

  @Override
  public String description() {
    return "answers what a test says";
  }

  @Override
  public ImmutableList<Need> needs() {
    return ImmutableList.of(BackoffProtocol.ALL_SERVERS, BackoffProtocol.QUORUMS);
  }

  @Override
  public LockTiming timing() {
    return LockTiming.standard().withMaxHold(Duration.ofHours(1));
  }

  @Override
  public LockProtocol withTiming(LockTiming other) {
    return this;
  }

  @Override
  public Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked) {
    return asked == LockOptions.Servers.ALL
        ? BackoffProtocol.ALL_SERVERS.thresholds(servers, byzantine)
        : BackoffProtocol.QUORUMS.thresholds(
            servers, 0); // No server is asked, so that none can lie.
  }

  @Override
  public Machine<ServerId> clientMachine(Member member) {
    if (member.thresholds().need().equals(BackoffProtocol.ALL_SERVERS)) {
      return machine;
    }
    whenQuorumsAreOpened.run();
    return new FakeMachine(); // Of two that are opened at once, one is closed again.
  }

  @Override
  public Machine<ClientId> serverMachine(LockScope scope, Entropy entropy) {
    throw new UnsupportedOperationException("it has no servers");
  }
}
