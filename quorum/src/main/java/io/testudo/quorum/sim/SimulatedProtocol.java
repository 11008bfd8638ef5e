package io.testudo.quorum.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/**
 * A protocol that can be simulated; found by {@link java.util.ServiceLoader}. One class per
 * protocol, and {@code testudo simulate --protocol NAME} knows it.
 */
public interface SimulatedProtocol {
  /** What {@code --protocol} takes. */
  String name();

  /** One sentence for the help. */
  String description();

  /** What {@code --mode} takes, the default first. */
  List<String> modes();

  /** What a mode asks of its servers; gives the least n. */
  Need need(String mode);

  /** How many liars a cluster with these thresholds tolerates. */
  default int liarsBorne(Thresholds thresholds) {
    return thresholds.faults();
  }

  /** Whether a server that dies loses its memory, as a fault of its own kind. */
  default boolean hasResets() {
    return false;
  }

  /** How many servers may lose their memory again and again beside so many liars. */
  default int resetsBorne(Thresholds thresholds, int liars, boolean quarantine) {
    return 0;
  }

  /** Whether clients seal what they say in this mode. */
  default boolean hasSeals(String mode) {
    return false;
  }

  /** What {@code --turns} takes, the default first; nothing if there is no choice. */
  default List<String> turns() {
    return List.of();
  }

  /** Whether clients can ask one quorum first. */
  default boolean drawsQuorums(String mode) {
    return false;
  }

  WireTypes types();

  /** Those that clients with few rights draw from when they say anything that can be said. */
  default WireTypes rogueTypes() {
    return types();
  }

  /** The lies that make sense here. */
  ImmutableSet<ByzantineKind> lies();

  /** The lies that make sense where clients ask these first. */
  default ImmutableSet<ByzantineKind> lies(Access access) {
    return access == Access.ALL
        ? lies()
        : ImmutableSet.<ByzantineKind>builder().addAll(lies()).add(ByzantineKind.LET_DOWN).build();
  }

  /** The hazards that runs must tolerate. */
  default ImmutableSet<Hazard> hazards() {
    return ImmutableSet.copyOf(Hazard.values());
  }

  /** A fresh workload for one run. */
  Workload workload(ScenarioSettings settings);
}
