package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from its request to the end of the lease. */
final class ZoneAcquisition {
  final CallId<Held> call;
  final Acquire wish;
  final RequestId id;
  final ZoneTally tally;
  final Moment begun;

  /** Whom the present message went to: whoever is named by others gets it, too. */
  final Set<NodeId> asked = new HashSet<>();

  /** The number of that message. */
  long attempt;

  long nextAskNanos;

  /** Since when it has votes that are not enough, and how long it bears that. */
  long stuckNanos;

  boolean isStuck;
  long patienceNanos;

  /** Set while it holds the lock. */
  @Nullable Term term;

  long enteredNanos;

  ZoneAcquisition(CallId<Held> call, Acquire wish, RequestId id, ZoneTally tally, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.id = id;
    this.tally = tally;
    this.begun = begun;
  }

  String lock() {
    return wish.lock();
  }

  boolean isHeld() {
    return term != null;
  }

  /** How long the caller is still ready to wait. */
  long callerNanos(Moment now, long onceNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    return Math.max(onceNanos, wish.waitNanos()) - (now.nanos() - begun.nanos());
  }
}
