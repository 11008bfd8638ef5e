package io.testudo.mutex.dht.vote;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.List;

/** Calls that want a lease to last longer, until it does or is over. */
public final class PendingRenewals {
  private record Pending(CallId<Term> call, long untilNanos) {}

  private final List<Pending> pending = new ArrayList<>(0);

  public void add(CallId<Term> call, long untilNanos) {
    pending.add(new Pending(call, untilNanos));
  }

  public boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Takes those out that such a term is long enough for. */
  public List<CallId<Term>> metBy(Term term) {
    long endNanos = term.start().nanos() + term.lengthNanos();
    List<CallId<Term>> met = new ArrayList<>(0);
    for (Pending one : List.copyOf(pending)) {
      if (endNanos - one.untilNanos() >= 0) {
        pending.remove(one);
        met.add(one.call());
      }
    }
    return met;
  }

  /** Takes all out. */
  public List<CallId<Term>> drain() {
    List<CallId<Term>> all = pending.stream().map(Pending::call).toList();
    pending.clear();
    return all;
  }
}
