package io.testudo.mutex.dht.vote;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One call for a lock, from its request to the end of the lease.
 *
 * @param <S> what a mutex knows of it beside
 */
public final class RingCall<S> {
  private static final int RENEWALS_PER_HOLD = 3;

  private final CallId<Held> call;
  private final RequestId id;
  private final Moment begun;
  private final S state;
  final PendingRenewals renewals = new PendingRenewals();
  private Acquire wish;
  private @Nullable Term term;
  private long enteredNanos;
  private long renewAtNanos;

  RingCall(CallId<Held> call, Acquire wish, RequestId id, S state, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.id = id;
    this.state = state;
    this.begun = begun;
  }

  CallId<Held> call() {
    return call;
  }

  public RequestId id() {
    return id;
  }

  public String lock() {
    return wish.lock();
  }

  /** What the mutex knows of it. */
  public S state() {
    return state;
  }

  /** How long it is to be held, as was last asked for. */
  public long holdNanos() {
    return wish.holdNanos();
  }

  void setHold(long nanos) {
    wish = wish.withHold(nanos);
  }

  public boolean isHeld() {
    return term != null;
  }

  /** Until when it holds the lock; null if it does not. */
  @Nullable Term term() {
    return term;
  }

  void entered(Term first, Moment now) {
    term = first;
    enteredNanos = now.nanos();
    renewLater(now);
  }

  /** Whether another term is worth more than the present one, which it then replaces. */
  boolean prolonged(@Nullable Term other, Moment now) {
    Term present = term;
    boolean isLonger =
        other != null
            && present != null
            && !present.isOver(now)
            && other.remainingNanos(now) > present.remainingNanos(now);
    if (isLonger) {
      term = other;
    }
    return isLonger;
  }

  void renewLater(Moment now) {
    renewAtNanos = now.nanos() + holdNanos() / RENEWALS_PER_HOLD;
  }

  /** How long until it has to be renewed; never if nobody wants it to last. */
  long untilRenewalNanos(Moment now) {
    boolean keeps = !renewals.isEmpty() || now.nanos() - enteredNanos < wish.keepNanos();
    return keeps ? renewAtNanos - now.nanos() : Long.MAX_VALUE;
  }

  /** How long the caller is still ready to wait, who waits for one answer at least. */
  long patienceNanos(Moment now, long answerNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    return Math.max(answerNanos, wish.waitNanos()) - (now.nanos() - begun.nanos());
  }
}
