package io.testudo.mutex.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Ticker;
import org.junit.jupiter.api.Test;

class LockCheckerTest {
  private static final long MILLI = 1_000_000L;
  private static final ClientId ANN = new ClientId("ann", 1, 1);
  private static final ClientId BOB = new ClientId("bob", 2, 1);

  private final LockChecker checker = new LockChecker();
  private final Clock clock = new Clock();

  /** A clock that the test sets. */
  private static final class Clock implements Ticker {
    private long nanos;
    private long wallMillis;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public long wallMillis() {
      return wallMillis;
    }
  }

  private Held held(long token) {
    return new Held("a", token, term(10));
  }

  private Term term(long millis) {
    return new Term(new Moment(clock.nanos, clock.wallMillis), millis * MILLI);
  }

  @Test
  void seesTwoHoldersAtOnceEvenInOneProcess() {
    checker.entered(ANN, clock, held(1));
    assertThatThrownBy(() -> checker.entered(ANN, clock, held(2)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("two hold 'a' at once");
  }

  @Test
  void believesAClientUntilOneOfItsClocksSaysThatItsTermIsOver() {
    checker.entered(ANN, clock, held(1));
    clock.nanos = 10 * MILLI - 1;
    assertThatThrownBy(() -> checker.entered(BOB, new Clock(), held(2)))
        .isInstanceOf(Violation.class);
    clock.wallMillis = 9; // Up to a millisecond more has passed than it shows.
    assertThatCode(() -> checker.entered(BOB, new Clock(), new Held("a", 3, freshTerm())))
        .doesNotThrowAnyException();
  }

  private static Term freshTerm() {
    return new Term(new Moment(0, 0), 10 * MILLI);
  }

  @Test
  void forgetsWhoLeftOrDied() {
    checker.entered(ANN, clock, held(1));
    assertThat(checker.left(ANN, "a", 1)).isTrue();
    assertThat(checker.left(ANN, "a", 1)).isFalse();
    checker.entered(ANN, clock, held(2));
    checker.died(ANN);
    checker.entered(BOB, clock, held(3));
    assertThat(checker.entries()).isEqualTo(3);
  }

  @Test
  void seesATokenThatDoesNotGrow() {
    checker.entered(ANN, clock, held(5));
    checker.left(ANN, "a", 5);
    assertThatThrownBy(() -> checker.entered(BOB, clock, held(5)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("enters 'a' after one with token 5");
  }

  @Test
  void seesARenewalThatOverlapsAnothersHold() {
    checker.entered(ANN, clock, held(1));
    clock.nanos = 11 * MILLI;
    checker.entered(BOB, clock, held(2));
    assertThatThrownBy(() -> checker.renewed(ANN, "a", 1, term(30)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("two hold");
  }

  @Test
  void seesARenewalOfWhatIsNotHeldAndOneThatShortens() {
    assertThatThrownBy(() -> checker.renewed(ANN, "a", 1, freshTerm()))
        .isInstanceOf(Violation.class);
    checker.entered(ANN, clock, held(1));
    assertThatThrownBy(() -> checker.renewed(ANN, "a", 1, term(9)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("back");
  }

  @Test
  void seesAnEntryAfterTheTerm() {
    Held late = held(1);
    clock.nanos = 10 * MILLI;
    assertThatThrownBy(() -> checker.entered(ANN, clock, late)).isInstanceOf(Violation.class);
  }
}
