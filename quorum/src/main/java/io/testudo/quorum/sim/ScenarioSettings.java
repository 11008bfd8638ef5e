package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.spi.Entropy;
import java.util.Set;

/**
 * What all runs of a campaign share.
 *
 * @param thresholds for which the cluster is configured
 * @param liars how many servers lie; more than it is configured for must be noticed
 * @param lieKinds the lies to draw from
 * @param resets how many servers lose their memory again and again; 0 where that is no fault of its
 *     own
 * @param quarantine whether a server that has lost its memory keeps quiet for a while
 * @param hazards what the runs may have in store
 * @param seals where clients seal what they say
 * @param turns by what clients take turns, if the protocol has a choice; else empty
 * @param access whom clients ask first; if it is a quorum, some still ask all
 */
public record ScenarioSettings(
    SimulatedProtocol protocol,
    String mode,
    Thresholds thresholds,
    int liars,
    ImmutableSet<ByzantineKind> lieKinds,
    int resets,
    boolean quarantine,
    ImmutableSet<Hazard> hazards,
    SealSetting seals,
    String turns,
    Access access) {
  private static final long ACCESS_LABEL = 15;

  /** With the usual seals and turns. */
  public ScenarioSettings(
      SimulatedProtocol protocol,
      String mode,
      Thresholds thresholds,
      int liars,
      ImmutableSet<ByzantineKind> lieKinds,
      int resets,
      boolean quarantine,
      ImmutableSet<Hazard> hazards) {
    this(
        protocol,
        mode,
        thresholds,
        liars,
        lieKinds,
        resets,
        quarantine,
        hazards,
        SealSetting.STANDARD,
        protocol.turns().stream().findFirst().orElse(""),
        Access.ALL);
  }

  /** For protocols whose servers have a disk, without hazards. */
  public ScenarioSettings(
      SimulatedProtocol protocol,
      String mode,
      Thresholds thresholds,
      int liars,
      ImmutableSet<ByzantineKind> lieKinds) {
    this(protocol, mode, thresholds, liars, lieKinds, 0, false, ImmutableSet.of());
  }

  /** The smallest cluster that is made for so many liars. */
  public static ScenarioSettings ofSmallest(
      SimulatedProtocol protocol,
      String mode,
      int byzantine,
      int liars,
      Set<ByzantineKind> lieKinds) {
    Need need = protocol.need(mode);
    return new ScenarioSettings(
        protocol,
        mode,
        need.thresholds(need.leastServers(byzantine), byzantine),
        liars,
        ImmutableSet.copyOf(lieKinds));
  }

  /** The same with other hazards. */
  public ScenarioSettings with(Hazard... others) {
    return new ScenarioSettings(
        protocol,
        mode,
        thresholds,
        liars,
        lieKinds,
        resets,
        quarantine,
        ImmutableSet.copyOf(others),
        seals,
        turns,
        access);
  }

  /** The same with other seals. */
  public ScenarioSettings with(SealSetting others) {
    return new ScenarioSettings(
        protocol,
        mode,
        thresholds,
        liars,
        lieKinds,
        resets,
        quarantine,
        hazards,
        others,
        turns,
        access);
  }

  /** The same with other turns. */
  public ScenarioSettings withTurns(String others) {
    return new ScenarioSettings(
        protocol,
        mode,
        thresholds,
        liars,
        lieKinds,
        resets,
        quarantine,
        hazards,
        seals,
        others,
        access);
  }

  /** The same with other quorums, and with clients that ask others first. */
  public ScenarioSettings with(Thresholds others, Access first) {
    return new ScenarioSettings(
        protocol, mode, others, liars, lieKinds, resets, quarantine, hazards, seals, turns, first);
  }

  /** Whom one client asks first. It may be a matter of each. */
  public Access accessOf(Entropy client) {
    return access == Access.QUORUM && client.fork(ACCESS_LABEL).chance(0.2) ? Access.ALL : access;
  }

  /** Whether the cluster must keep its promises in spite of so many liars, resets and thefts. */
  public boolean isWithinBound() {
    return seals.isSafe()
        && liars <= protocol.liarsBorne(thresholds)
        && resets <= protocol.resetsBorne(thresholds, liars, quarantine);
  }
}
