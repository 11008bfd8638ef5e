package io.testudo.mutex.sigma;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.ChosenValues;
import io.testudo.mutex.protocol.LockChoice;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.Optional;

/**
 * The crash-recovery mutex Sigma, on servers that may lose their memory and need no disk. In a
 * cluster of which b servers may lie it is the hardened one.
 *
 * @param timing the same for all clients and servers of a cluster
 * @param tuning likewise
 * @param servers how many servers of a cluster are used, the first ones; all if empty
 * @param grants how many of these must grant a lock; two thirds if empty
 */
public record SigmaProtocol(
    LockTiming timing, SigmaTuning tuning, Optional<Integer> servers, Optional<Integer> grants)
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
    this(timing, SigmaTuning.standard(), Optional.empty(), Optional.empty());
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
    return new SigmaProtocol(other, tuning, servers, grants);
  }

  @Override
  public ImmutableList<LockChoice> choices() {
    return ImmutableList.of(
        new LockChoice(
            "grants",
            "two-thirds",
            "How many servers must grant (m). More: more of them may forget during a hold"
                + " (2m-n-1); fewer: more of them may be away (n-m)."),
        new LockChoice(
            "quarantine",
            "off",
            "Whether a server is mute after each start until all it may have granted is over: on if"
                + " exclusion must not rest on how many servers forget."),
        new LockChoice(
            "servers",
            "all",
            "How many servers, the first ones, serve these locks: an entry costs four messages to"
                + " each, so in a large cluster fewer are faster."));
  }

  @Override
  public SigmaProtocol withChoices(ChosenValues chosen) {
    return new SigmaProtocol(
        timing,
        tuning.withQuarantine(chosen.word("quarantine", "off", "on").equals("on")),
        chosen.number("servers", 1, ServerId.MAX_SERVERS, "all"),
        chosen.number("grants", 1, ServerId.MAX_SERVERS, "two-thirds"));
  }

  @Override
  public Thresholds thresholds(int inCluster, int byzantine, LockOptions.Servers asked) {
    if (servers.orElse(0) > inCluster) {
      throw new ConfigurationException(
          "lock.sigma.servers is %d, and the cluster has %d servers; choose fewer, or all."
              .formatted(servers.orElse(0), inCluster));
    }
    int used = servers.orElse(inCluster);
    if (asked != LockOptions.Servers.ALL) {
      throw new IllegalArgumentException(
          "Sigma asks all servers, its queues are there; leave the choice of servers at ALL.");
    }
    Need need = byzantine > 0 ? HARDENED : CRASHES;
    if (grants.isEmpty()) {
      return need.thresholds(used, byzantine > 0 ? byzantine : need.mostFaults(used));
    }
    int least = grants.get();
    return need.thresholds(used, byzantine > 0 ? byzantine : need.mostFaults(used, least), least);
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
