package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.protocol.Moment;
import org.junit.jupiter.api.Test;

class TermTest {
  private static final long MILLI = 1_000_000L;
  private final Term term = new Term(new Moment(500, 1_000), 100 * MILLI);

  @Test
  void endsWhenTheMonotonicClockSaysSo() {
    assertThat(term.isOver(new Moment(500 + 100 * MILLI - 1, 1_050))).isFalse();
    assertThat(term.isOver(new Moment(500 + 100 * MILLI, 1_050))).isTrue();
  }

  @Test
  void endsWhenTheMachineWasSuspendedForThatLong() {
    assertThat(term.isOver(new Moment(501, 1_098))).isFalse();
    assertThat(term.isOver(new Moment(501, 1_099))).isTrue();
  }

  @Test
  void lastsNoLongerWhenTheWallClockIsSetBack() {
    assertThat(term.remainingNanos(new Moment(500 + 60 * MILLI, 0))).isEqualTo(40 * MILLI);
  }

  @Test
  void countsAMillisecondMoreThanTheWallClockShows() {
    // 99 ms and a little may have passed when the clock shows 1,098.
    assertThat(term.remainingNanos(new Moment(501, 1_098))).isEqualTo(MILLI);
  }
}
