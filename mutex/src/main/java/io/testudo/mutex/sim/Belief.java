package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Ticker;

/**
 * A client takes itself for the holder of a lock, as long as its own clocks let it. It does so even
 * while it stands still: what it will do first when it wakes, nobody knows.
 */
final class Belief {
  final ClientId client;
  final long token;
  private final Ticker clock;
  private Term term;

  Belief(ClientId client, long token, Ticker clock, Term term) {
    this.client = client;
    this.token = token;
    this.clock = clock;
    this.term = term;
  }

  private Moment now() {
    return new Moment(clock.nanos(), clock.wallMillis());
  }

  /** Whether the client believes it at this instant. */
  boolean isHeldNow() {
    return !term.isOver(now());
  }

  long remainingNanos() {
    return term.remainingNanos(now());
  }

  /** When the monotonic clock says that it is over, whatever the wall clock says. */
  long endsWithinNanos() {
    return term.lengthNanos() - (clock.nanos() - term.start().nanos());
  }

  /** Takes another term, and says whether it seems to end before the present one. */
  boolean renew(Term other) {
    boolean isShorter = other.remainingNanos(now()) < remainingNanos();
    term = other;
    return isShorter;
  }

  @Override
  public String toString() {
    return client + " with token " + token;
  }
}
