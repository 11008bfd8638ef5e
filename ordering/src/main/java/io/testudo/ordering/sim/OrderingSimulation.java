package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.quorum.Need;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.wire.WireTypes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** {@code testudo simulate --protocol ordering}. */
public final class OrderingSimulation implements SimulatedProtocol {
  /** No message carries a server's name. */
  private static final ImmutableSet<ByzantineKind> LIES =
      Sets.immutableEnumSet(
          Sets.difference(ByzantineKind.ordinary(), EnumSet.of(ByzantineKind.WRONG_ID)));

  private static final WireTypes TYPES = OrderingTypes.ALL.and(BackoffTypes.ALL);

  private static final WireTypes ROGUE_TYPES = OrderingTypes.WITHOUT_HINTS.and(BackoffTypes.ALL);

  /** For the service loader. */
  public OrderingSimulation() {}

  @Override
  public String name() {
    return "ordering";
  }

  @Override
  public String description() {
    return "clients order operations on an object; all agree on one history";
  }

  @Override
  public List<String> modes() {
    return List.of(
        Mode.SEALED_STATEMENTS.need().modeName(),
        Mode.SEALED_RANKS.need().modeName(),
        Mode.PLAIN.need().modeName());
  }

  @Override
  public Need need(String mode) {
    return mode(mode).need();
  }

  private static Mode mode(String name) {
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.need().modeName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public boolean hasSeals(String mode) {
    return mode(mode) != Mode.PLAIN;
  }

  @Override
  public List<String> turns() {
    return Arrays.stream(TurnsBy.values()).map(OrderingSimulation::word).toList();
  }

  private static String word(TurnsBy turns) {
    return turns.name().toLowerCase(Locale.ROOT);
  }

  private static TurnsBy turns(String name) {
    return Arrays.stream(TurnsBy.values())
        .filter(turns -> word(turns).equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public boolean drawsQuorums(String mode) {
    return true;
  }

  @Override
  public WireTypes types() {
    return TYPES;
  }

  /** {@inheritDoc} Without those that came later: they would shift what is drawn. */
  @Override
  public WireTypes rogueTypes() {
    return ROGUE_TYPES;
  }

  @Override
  public ImmutableSet<ByzantineKind> lies() {
    return LIES;
  }

  @Override
  public Workload workload(ScenarioSettings settings) {
    return new OrderingWorkload(settings, mode(settings.mode()), turns(settings.turns()));
  }
}
