package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.protocol.Moment;
import java.util.List;
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

  @Test
  void lastsAsLongAsEnoughGrantsDo() {
    Moment now = new Moment(0, 0);
    Term brief = new Term(now, 10_000_000);
    Term longer = new Term(now, 20_000_000);
    Term longest = new Term(now, 30_000_000);
    assertThat(Term.ofEnough(List.of(longest, brief, longer), 2, now)).isEqualTo(longer);
    assertThat(Term.ofEnough(List.of(longest, brief, longer), 3, now)).isEqualTo(brief);
    assertThat(Term.ofEnough(List.of(longest, longer), 3, now)).isNull();
  }
}
