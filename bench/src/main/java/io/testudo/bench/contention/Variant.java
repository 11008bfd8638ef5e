package io.testudo.bench.contention;

import io.testudo.mutex.backoff.BackoffTuning;

/**
 * One way to run the protocol.
 *
 * @param name for people and programs
 * @param law the name of the tuning's backoff law
 * @param usedShare of the hold that a turn really needs; the rest is given back where that is done
 * @param returns whether one contender comes again and again, see {@link ContentionRun}
 * @param persists whether that one does not back off
 * @param keepsLate whether leases count from when their grants came, which is not safe
 */
record Variant(
    String name,
    BackoffTuning tuning,
    String law,
    ReleasePolicy givingBack,
    double usedShare,
    boolean returns,
    boolean persists,
    boolean keepsLate) {

  static Variant of(String name, BackoffTuning tuning, ReleasePolicy givingBack) {
    return new Variant(name, tuning, "exponential", givingBack, 1, false, false, false);
  }

  Variant named(String other, String otherLaw) {
    return new Variant(
        other, tuning, otherLaw, givingBack, usedShare, returns, persists, keepsLate);
  }

  Variant using(double share) {
    return new Variant(name, tuning, law, givingBack, share, returns, persists, keepsLate);
  }

  Variant withOneWhoReturns(boolean persistent) {
    return new Variant(name, tuning, law, givingBack, usedShare, true, persistent, keepsLate);
  }

  Variant keepingLate() {
    return new Variant(name, tuning, law, givingBack, usedShare, returns, persists, true);
  }
}
