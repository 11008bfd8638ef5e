package io.testudo.bench.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.testudo.mutex.backoff.BackoffProtocol;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual time: the same figures on every machine. */
class ContentionRunTest {
  private static final long MILLI = 1_000_000L;
  private static final int SEEDS = 9;

  private static ModelSettings settings(Delays delays) {
    return new ModelSettings(
        BackoffProtocol.ALL_SERVERS.thresholds(4, 1), 10 * MILLI, MILLI, 10 * MILLI, delays, null);
  }

  private static Variant variant(String name) {
    return Variants.ALL.stream()
        .filter(variant -> variant.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ContentionResult run(String variant, int contenders, int idle, long seed) {
    return ContentionRun.run(settings(Delays.UNIFORM), variant(variant), contenders, idle, seed);
  }

  private static double meanUnits(String variant, int contenders) {
    return IntStream.rangeClosed(1, SEEDS)
            .mapToDouble(seed -> run(variant, contenders, 0, seed).amortisedNanos())
            .average()
            .orElseThrow()
        / settings(Delays.UNIFORM).unitNanos();
  }

  @Test
  void givesTheSameForTheSameSeedAndOthersForAnother() {
    ContentionResult once = run("plain", 16, 0, 1);

    assertThat(run("plain", 16, 0, 1)).isEqualTo(once);
    assertThat(run("plain", 16, 0, 2)).isNotEqualTo(once);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "standard"})
  void takesARoundTripAndTheHoldAlone(String variant) {
    ContentionResult alone =
        ContentionRun.run(settings(Delays.CONSTANT), variant(variant), 1, 0, 1);

    assertThat(alone.ended()).isTrue();
    assertThat(alone.totalNanos()).isEqualTo(12 * MILLI);
    assertThat(alone.waitNanos().get(0)).isEqualTo(2 * MILLI);
  }

  static Iterable<Variant> variants() {
    return Variants.ALL;
  }

  @ParameterizedTest
  @MethodSource("variants")
  void givesEverybodyATurnAndNobodyAnothers(Variant variant) {
    ContentionResult turns = ContentionRun.run(settings(Delays.UNIFORM), variant, 8, 0, 1);

    assertThat(turns.ended()).isTrue();
    assertThat(turns.overlaps()).isZero();
    assertThat(turns.waitNanos().length()).isEqualTo(variant.returns() ? 7 : 8);
    long usedNanos = (long) (turns.turns() * variant.usedShare() * 10 * MILLI);
    assertThat(turns.totalNanos()).isGreaterThanOrEqualTo(usedNanos);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 32, 128})
  void costsAboutTheLogarithmOfTheContendersInThePlainProtocol(int contenders) {
    double log = Math.log(2.0 * contenders) / Math.log(2);

    assertThat(meanUnits("plain", contenders) / log).isBetween(0.4, 1.3);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 32})
  void costsOneUnitHoweverManyContendInTheStandardProtocol(int contenders) {
    assertThat(meanUnits("standard", contenders)).isCloseTo(0.94, within(0.06));
  }

  @Test
  void paysForWhatItDoesNotGiveBack() {
    assertThat(meanUnits("nothing-given-back", 32)).isGreaterThan(meanUnits("plain", 32));
    assertThat(meanUnits("tenth-used-early-release", 32)).isLessThan(meanUnits("tenth-used", 32));
    assertThat(meanUnits("longest-hold", 32)).isGreaterThan(2 * meanUnits("plain", 32));
  }

  @Test
  void letsTheOneWhoReturnsInSoonerIfItPersists() {
    assertThat(run("returning-persists", 32, 0, 1).returningWaitNanos())
        .isLessThan(run("returning-backs-off", 32, 0, 1).returningWaitNanos() / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "standard"})
  void isTheSameAmongIdleClients(String variant) {
    ContentionResult alone = run(variant, 16, 0, 1);

    assertThat(run(variant, 16, 10, 1)).isEqualTo(alone);
    assertThat(run(variant, 16, 2_000, 1)).isEqualTo(alone);
  }

  @Test
  void letsContendersArriveOneAfterTheOther() {
    ModelSettings rare =
        new ModelSettings(
            BackoffProtocol.ALL_SERVERS.thresholds(4, 1),
            10 * MILLI,
            MILLI,
            10 * MILLI,
            Delays.UNIFORM,
            0.01);

    ContentionResult turns = ContentionRun.run(rare, variant("plain"), 20, 0, 1);

    // A hundred units apart on average, they rarely meet.
    assertThat(turns.waitNanos().get(10)).isLessThanOrEqualTo(2 * MILLI);
    assertThat(turns.amortisedNanos() / rare.unitNanos()).isGreaterThan(30);
  }
}
