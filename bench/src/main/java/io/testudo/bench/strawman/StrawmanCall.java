package io.testudo.bench.strawman;

import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.BoundedMap;
import java.util.Map;

/** One call for a lock, from the first attempt to the end of the lease. */
final class StrawmanCall implements LockCalls.Acquiring {
  /** Requests older than so many others are useless: their leases are over. */
  private static final int MAX_ROUNDS = 64;

  /** A request that went to all servers; enough grants of the same one make its term count. */
  static final class Round {
    final long number;
    final Term term;
    ServerSet granted = ServerSet.none();
    ServerSet rejected = ServerSet.none();

    Round(long number, Term term) {
      this.number = number;
      this.term = term;
    }
  }

  final LockCall call;

  /** Those that wait for grants. */
  final Map<Long, Round> rounds = BoundedMap.byAge(MAX_ROUNDS);

  /** Whether it lost, and sleeps before it asks again. */
  boolean isSleeping;

  long attempt;
  long lastNumber;

  /** When it wakes, or has waited long enough for answers. */
  long dueNanos;

  /** All servers that answered any attempt. */
  ServerSet heardOf = ServerSet.none();

  /** Whether so many servers rejected an attempt that it could not succeed. */
  boolean wasOutvoted;

  StrawmanCall(LockCall call) {
    this.call = call;
  }

  @Override
  public LockCall call() {
    return call;
  }

  String lock() {
    return call.lock();
  }

  Round next(Term term) {
    Round round = new Round(++lastNumber, term);
    rounds.put(round.number, round);
    return round;
  }
}
