package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.liar.LieKind;

/**
 * What all runs of a campaign share.
 *
 * @param thresholds for which the cluster is configured
 * @param liars how many servers lie; more than it is configured for must be noticed
 * @param lieKinds the lies to draw from
 */
public record ScenarioSettings(
    SimulatedProtocol protocol,
    String mode,
    Thresholds thresholds,
    int liars,
    ImmutableSet<LieKind> lieKinds) {
  /** Whether the cluster must keep its promises in spite of so many liars. */
  public boolean isWithinBound() {
    return liars <= protocol.liarsBorne(thresholds);
  }
}
