package io.testudo.bench.rings;

import io.testudo.mutex.dht.sim.RoundsExperiment;
import io.testudo.mutex.dht.sim.RoundsExperiment.Outcome;
import io.testudo.mutex.dht.sim.RoundsExperiment.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One setting, run several times; the figures are averages. */
final class RingPoint {
  private final Setting setting;
  private final @Nullable Outcome[] outcomes;

  RingPoint(Setting setting, int runs) {
    this.setting = setting;
    this.outcomes = new @Nullable Outcome[runs];
  }

  Setting setting() {
    return setting;
  }

  int runs() {
    return outcomes.length;
  }

  void run(int number, long seed) {
    outcomes[number] = RoundsExperiment.run(setting, seed + number);
  }

  private List<Outcome> all() {
    return Arrays.stream(outcomes).map(Objects::requireNonNull).toList();
  }

  double mean(ToDoubleFunction<Outcome> figure) {
    return all().stream().mapToDouble(figure).average().orElseThrow();
  }

  double mutexMessages() {
    return mean(Outcome::ofMutex);
  }

  double maintenance() {
    return mean(Outcome::maintenance);
  }

  double entries() {
    return mean(Outcome::entries);
  }

  /** The load below which this part of all members is. */
  double load(double part) {
    return mean(
        outcome ->
            outcome
                .loads()
                .get((int) Math.min(outcome.loads().size() - 1, part * outcome.loads().size())));
  }
}
