package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.testudo.bench.driver.HarmPlan;
import io.testudo.bench.driver.HarmRecord;
import io.testudo.bench.driver.ServerHarm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HarmFiguresTest {
  private static final long TENTH_NANOS = 100_000_000;
  private static final HarmPlan PLAN = new HarmPlan(ServerHarm.KILL, 20, 30, 20, TENTH_NANOS);

  private static List<Long> slices(long... countsAndAnswers) {
    List<Long> answers = new ArrayList<>();
    for (int i = 0; i < countsAndAnswers.length; i += 2) {
      answers.addAll(Collections.nCopies((int) countsAndAnswers[i], countsAndAnswers[i + 1]));
    }
    return answers;
  }

  private static HarmFigures figures(List<Long> answers) {
    return new HarmFigures(
        PLAN,
        new HarmRecord(
            List.of(1_000_000L, 3_000_000L, 0L),
            List.of(5_000_000L, 700_000_000L),
            2,
            0,
            0,
            answers));
  }

  @Test
  void comparesWithTheTimeBeforeWithoutItsBeginning() {
    // The first quarter of the time before counts for nothing.
    HarmFigures figures = figures(slices(5, 1000, 15, 100, 30, 50, 20, 120));

    assertThat(figures.opsPerSecondBefore()).isEqualTo(1_000);
    assertThat(figures.during()).isEqualTo(0.5);
    assertThat(figures.after()).isEqualTo(1.2);
    assertThat(figures.secondsToNormal()).isEmpty();
    assertThat(figures.secondsToNormalAfter()).hasValue(0);
    assertThat(figures.tailDuring()).hasValue(3);
    assertThat(figures.tailAfter()).isEmpty();
    assertThat(figures.longestGapMillis()).isEqualTo(700);
    assertThat(figures.gapBeforeMillis()).isEqualTo(5);
  }

  @Test
  void isNormalFromWhereOnTheRateIsNineTenthsForHalfASecond() {
    // Nothing for 0.7 s; one good slice in a bad time is not enough.
    HarmFigures figures = figures(slices(20, 100, 7, 0, 1, 200, 4, 0, 18, 90, 5, 0, 15, 100));

    assertThat(figures.secondsToNormal()).hasValueCloseTo(1.2, within(1e-9));
    assertThat(figures.secondsToNormalAfter()).hasValueCloseTo(0.5, within(1e-9));
  }

  @Test
  void seesAHarmThatShowsAMomentLater() {
    HarmFigures figures = figures(slices(20, 100, 5, 100, 10, 0, 15, 100, 20, 100));

    assertThat(figures.secondsToNormal()).hasValueCloseTo(1.5, within(1e-9));
    assertThat(figures.secondsToNormalAfter()).hasValue(0);
  }

  @Test
  void takesALateDipForChance() {
    HarmFigures figures = figures(slices(20, 100, 25, 100, 5, 0, 20, 100));

    assertThat(figures.secondsToNormal()).hasValue(0);
  }

  @Test
  void tellsWhereNothingWasDoneBefore() {
    HarmFigures figures = figures(slices(20, 0, 50, 10));

    assertThat(figures.hasWorkedBefore()).isFalse();
    assertThat(figures.during()).isZero();
    assertThat(figures.secondsToNormal()).isEmpty();
  }

  @Test
  void showsTheRateOverTimeFromWhereTheHarmBegins() {
    HarmFigures figures = figures(slices(20, 100, 30, 50, 20, 100));

    assertThat(figures.timeline().firstSeconds()).isEqualTo(-2);
    assertThat(figures.timeline().marks()).containsEntry("ends", 3.0);
    assertThat(figures.timeline().values().length()).isEqualTo(70);
    assertThat(figures.timeline().values().get(25)).isEqualTo(0.5);
  }
}
