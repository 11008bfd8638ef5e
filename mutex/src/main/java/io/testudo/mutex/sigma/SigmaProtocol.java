package io.testudo.mutex.sigma;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.OptionalInt;

/**
 * The crash-recovery mutex Sigma, on servers that may lose their memory and need no disk. In a
 * cluster of which b servers may lie it is the hardened one.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param tuning likewise
 * @param grants how many servers must grant a lock; two thirds of them if empty
 */
public record SigmaProtocol(LockTiming timing, SigmaTuning tuning, OptionalInt grants)
    implements LockProtocol {
  public static final String NAME = SigmaServer.PROTOCOL;

  /** Where no server lies. */
  public static final Need CRASHES =
      Need.ofForgetful(
          "sigma",
          1,
          1,
          Need.Size.TWO_THIRDS,
          "The crash-recovery mutex: f servers lose their memory or are down, none lies, and two"
              + " thirds of the servers grant (Lin, Lian, Chen, Zhang 2004; Chen, Lin, Lian, Zhang"
              + " 2005).");

  /** Where servers may lie. */
  public static final Need HARDENED =
      Need.ofLiars(
          "sigma-hardened",
          1,
          1,
          Need.Size.TWO_THIRDS,
          "Sigma where b servers may lie or lose their memory: two holders' grants share a server"
              + " that does neither, and what only liars may say is believed from b+1"
              + " (docs/sigma.md).");

  /** With the usual tuning, and grants of two thirds. */
  public SigmaProtocol(LockTiming timing) {
    this(timing, SigmaTuning.standard(), OptionalInt.empty());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "clients lock by the crash-recovery mutex; servers lose their memory when they die";
  }

  @Override
  public ImmutableList<Need> needs() {
    return ImmutableList.of(CRASHES, HARDENED);
  }

  @Override
  public WireTypes types() {
    return SigmaTypes.ALL;
  }

  @Override
  public SigmaProtocol withTiming(LockTiming other) {
    return new SigmaProtocol(other, tuning, grants);
  }

  @Override
  public Thresholds thresholds(int servers, int byzantine, LockOptions.Servers asked) {
    if (asked != LockOptions.Servers.ALL) {
      throw new IllegalArgumentException(
          "Sigma asks all servers, its queues are there; leave the choice of servers at ALL.");
    }
    if (byzantine > 0) {
      return grants.isPresent()
          ? HARDENED.thresholds(servers, byzantine, grants.getAsInt())
          : HARDENED.thresholds(servers, byzantine);
    }
    if (grants.isPresent()) {
      int faults = CRASHES.mostFaults(servers, grants.getAsInt());
      return CRASHES.thresholds(servers, faults, grants.getAsInt());
    }
    return CRASHES.thresholds(servers, CRASHES.mostFaults(servers));
  }

  /** {@inheritDoc} Ranks are not sealed: the order of requests is a matter of fairness only. */
  @Override
  public Machine<ServerId> clientMachine(Member member) {
    return new SigmaClient(member.thresholds(), timing, tuning, member.entropy());
  }

  @Override
  public Machine<ClientId> serverMachine(LockScope scope, Entropy entropy) {
    return new SigmaServer(timing, tuning, scope, entropy);
  }
}
