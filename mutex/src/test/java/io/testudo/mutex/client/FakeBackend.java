package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.time.Duration;
import java.util.List;

/** A backend whose client half is a {@link FakeHalf}. */
final class FakeBackend implements LockBackend {
  /** Neither renewed nor lost while a test runs. */
  static final LockOptions LONG =
      LockOptions.standard().withHold(Duration.ofMinutes(10)).withoutAutoRenewal();

  /** Lost at once, as it were. */
  static final LockOptions SHORT =
      LockOptions.standard().withHold(Duration.ofMillis(1)).withoutAutoRenewal();

  final FakeHalf half = new FakeHalf();

  /** What happens while the half for those that ask quorums is opened. */
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
  public Duration maxHold() {
    return Duration.ofHours(1);
  }

  @Override
  public Machine<ServerId> clientHalf(Member member) {
    if (member.asked() == LockOptions.Servers.ALL) {
      return half;
    }
    whenQuorumsAreOpened.run();
    return new FakeHalf(); // Of two that are opened at once, one is closed again.
  }

  @Override
  public Machine<ClientId> serverHalf(ServerId self) {
    throw new UnsupportedOperationException("it has no servers");
  }
}
