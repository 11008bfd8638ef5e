package io.testudo.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.testudo.quorum.sim.Violation.Kind;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.pinging.PingSimulation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ping in the simulator, with b liars and with one more. */
class PingScenarioTest {
  private static final PingSimulation PING = new PingSimulation();

  private static ScenarioSettings settings(int byzantine, int liars, Set<ByzantineKind> kinds) {
    return ScenarioSettings.ofSmallest(PING, PING.modes().get(0), byzantine, liars, kinds);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void keepsItsPromisesInSpiteOfAsManyLiarsAsItIsMadeFor(int byzantine) {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(byzantine, byzantine, PING.lies()), 150);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    assertThat(report.scenarios()).isEqualTo(150);
    assertThat(report.stats().operations()).isGreaterThanOrEqualTo(20 * 150);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void believesAnInventedIncarnationWithOneLiarMore(int byzantine) {
    ScenarioSettings settings = settings(byzantine, byzantine + 1, Set.of(ByzantineKind.INVENT));
    Campaign.Report report = Campaign.ofFirstSeeds(settings, 60);

    assertThat(report.violations(Kind.SAFETY)).isPositive();
    assertThat(report.violations(Kind.ERROR)).isZero();
    assertThat(report.firstFailure(Kind.SAFETY).orElseThrow().violation())
        .hasMessageMatching("the number of s\\d+ is \\d+, and \\d+ counts");
  }

  @Test
  void countsItAsALossOfLivenessIfTooManyAreSilent() {
    Campaign.Report report =
        Campaign.ofFirstSeeds(settings(1, 2, Set.of(ByzantineKind.SILENT)), 10);

    assertThat(report.violations(Kind.LIVENESS)).isEqualTo(10);
    assertThat(report.violations()).isEqualTo(10);
  }

  @Test
  void runsWithoutAnyLie() {
    assertThat(Campaign.ofFirstSeeds(settings(1, 0, Set.of()), 10).violations()).isZero();
  }

  static Stream<ByzantineKind> lies() {
    return PING.lies().stream();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void toleratesEachLieAlone(ByzantineKind kind) {
    Campaign.Report report = Campaign.ofFirstSeeds(settings(2, 2, Set.of(kind)), 15);

    assertThat(report.failures()).extracting(ScenarioResult::violation).isEmpty();
    // Silence and slowness are no words, and a clock means nothing to the ping. All others must be
    // heard.
    Set<ByzantineKind> unheard =
        EnumSet.of(
            ByzantineKind.SILENT,
            ByzantineKind.SILENT_TO_SOME,
            ByzantineKind.BAD_MAC,
            ByzantineKind.TRICKLE,
            ByzantineKind.EDGE_OF_TIME,
            ByzantineKind.FALSE_CLOCK);
    if (!unheard.contains(kind)) {
      assertThat(report.stats().liesTold()).as("lies told").isPositive();
    }
  }

  @Test
  void letsLiesReachTheTalliesAndFaultsStrike() {
    Campaign.Report report = Campaign.ofFirstSeeds(settings(1, 1, PING.lies()), 300);

    assertThat(report.withCountedLie()).isGreaterThan(100);
    assertThat(report.withFewFaults()).isLessThan(10);
    assertThat(report.stats().faults().keySet())
        .isEqualTo(EnumSet.range(FaultKind.LOSS, FaultKind.CRASH_AT_WRITE));
  }

  @Test
  void makesTheSameRunFromTheSameSeedToTheByte() {
    ScenarioSettings settings = settings(2, 2, PING.lies());
    for (long seed = 1; seed <= 10; seed++) {
      assertThat(digest(settings, seed)).isEqualTo(digest(settings, seed));
    }
    assertThat(digest(settings, 1)).isNotEqualTo(digest(settings, 2));
  }

  private static String digest(ScenarioSettings settings, long seed) {
    Hasher hasher = Hashing.sha256().newHasher();
    Simulation.run(
        settings, seed, Trace.to(line -> hasher.putString(line, StandardCharsets.UTF_8)));
    return hasher.hash().toString();
  }

  @Test
  void findsTheSameFailuresOnOneThreadAsOnMany() throws InterruptedException {
    ScenarioSettings settings = settings(1, 2, PING.lies());
    List<List<Long>> seeds = new ArrayList<>();
    for (int threads = 1; threads <= 3; threads++) {
      Campaign.Report report =
          new Campaign(settings, 7).run(60, Long.MAX_VALUE, threads, done -> {});
      seeds.add(report.failures().stream().map(ScenarioResult::seed).toList());
    }
    assertThat(seeds.get(0)).isNotEmpty().isEqualTo(seeds.get(1)).isEqualTo(seeds.get(2));
  }

  @Test
  void tellsAReadableStory() {
    List<String> story = new ArrayList<>();
    Simulation.run(settings(1, 1, Set.of(ByzantineKind.INVENT)), 1, Trace.to(story::add));

    assertThat(story).anyMatch(line -> line.matches(".* s\\d! +lies: \\[INVENT\\].*"));
    assertThat(story).anyMatch(line -> line.matches(".* c\\d +call #1 Survey.*"));
    assertThat(story).anyMatch(line -> line.matches(" +-> s\\d Ping.*"));
    assertThat(story).anyMatch(line -> line.contains("all is well from now on"));
  }

  @Test
  void isCalmWhereThePlanIs() {
    ScenarioResult result =
        Simulation.run(settings(1, 0, PING.lies()), 1, FaultPlan.calm(), Trace.off());

    assertThat(result.violation()).isNull();
    assertThat(result.stats().faults()).isEmpty();
  }
}
