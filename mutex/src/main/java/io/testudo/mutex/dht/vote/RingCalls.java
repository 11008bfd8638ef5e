package io.testudo.mutex.dht.vote;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls for locks at one node, as all mutexes that vote have them: names each, ends it when its
 * caller is tired of it, and renews, releases and loses what is held. What is said for it is the
 * {@link Contender}'s.
 *
 * @param <S> what a mutex knows of a call
 */
public final class RingCalls<S> extends Part<NodeId> {
  private static final long LEAST_DELAY_NANOS = 1_000_000L;

  private record CallDue(RequestId id) implements TimerKey {}

  /** Why a call is over. */
  public enum Ending {
    /** Its holder has released the lock. */
    RELEASED,
    /** Its lease is over. */
    LOST,
    /** It never had the lock, and nobody wants it any more. */
    GIVEN_UP
  }

  /** What is said to others for a call. */
  public interface Contender<S> {
    /** What is known of a call that begins. */
    S begin(Acquire wish, RequestId id);

    /** It asks for the lock for the first time. */
    void ask(RingCall<S> call);

    /** Time has passed, and it has no lock. */
    void waits(RingCall<S> call);

    /** How long until that matters. */
    long untilDueNanos(RingCall<S> call);

    /** Asks for a longer lease of a lock that is held. */
    void renew(RingCall<S> call);

    /** It is over: nothing of it may be left with others. */
    void ended(RingCall<S> call, Ending why);
  }

  private final NodeId self;
  private final LockTiming timing;
  private final long answerNanos;
  private final Entropy entropy;
  private final Contender<S> contender;
  private final RankClock clock = new RankClock();
  private final Map<RequestId, RingCall<S>> byId = new TreeMap<>();

  /**
   * None yet.
   *
   * @param answerNanos for so long even a caller without patience waits
   */
  public RingCalls(
      Part<NodeId> node,
      NodeId self,
      LockTiming timing,
      long answerNanos,
      Entropy entropy,
      Contender<S> contender) {
    super(node);
    this.self = self;
    this.timing = timing;
    this.answerNanos = answerNanos;
    this.entropy = entropy;
    this.contender = contender;
    onCall(Acquire.class, this::onAcquire);
    onCall(ReleaseCall.class, this::onReleaseCall);
    onCall(RenewCall.class, this::onRenewCall);
    onTimer(CallDue.class, this::onDue);
  }

  /**
   * The call of a request for this lock, while it lasts. Who has a right to one lock has none to
   * speak of calls for others.
   */
  public @Nullable RingCall<S> get(String lock, RequestId id) {
    RingCall<S> call = byId.get(id);
    return call == null || !call.lock().equals(lock) ? null : call;
  }

  /** The call that holds a lock by this token. */
  public @Nullable RingCall<S> held(long token) {
    RingCall<S> call = byId.get(new RequestId(token, self));
    return call == null || !call.isHeld() ? null : call;
  }

  public ImmutableList<RingCall<S>> all() {
    return ImmutableList.copyOf(byId.values());
  }

  /** The lease that a call asks for. */
  public long leaseNanos(RingCall<S> call) {
    return timing.leaseNanos(call.holdNanos());
  }

  private void onAcquire(CallId<Held> id, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      fail(id, timing.holdTooLong(wish.lock()));
      return;
    }
    RequestId request = new RequestId(clock.next(wish.lock(), now(), entropy), self);
    RingCall<S> call = new RingCall<>(id, wish, request, contender.begin(wish, request), now());
    byId.put(request, call);
    contender.ask(call);
    schedule(call);
  }

  /** Enters by this term, if it is long enough for the hold. */
  public boolean enters(RingCall<S> call, @Nullable Term term) {
    if (term == null || term.remainingNanos(now()) < call.holdNanos()) {
      return false;
    }
    call.entered(term, now());
    complete(call.call(), new Held(call.lock(), call.id().time(), term));
    return true;
  }

  /** The present votes of a holder give this term: whether its lease lasts longer by it. */
  public boolean prolongs(RingCall<S> call, @Nullable Term term) {
    if (term == null || !call.prolonged(term, now())) {
      return false;
    }
    tell(new LeaseRenewed(call.lock(), call.id().time(), term));
    call.renewals.metBy(term).forEach(met -> complete(met, term));
    return true;
  }

  /** Asks at once for as long from now; it is over when enough have agreed. */
  private void onRenewCall(CallId<Term> id, RenewCall renew) {
    RingCall<S> call = held(renew.token());
    Term term = call == null ? null : call.term();
    if (call == null || term == null || term.isOver(now())) {
      fail(id, new LeaseLostException(renew.lock()));
      return;
    }
    if (renew.holdNanos() > timing.maxHoldNanos()) {
      fail(id, timing.holdTooLong(renew.lock()));
      return;
    }
    call.setHold(renew.holdNanos());
    call.renewals.add(id, now().nanos() + renew.holdNanos());
    call.renewals.metBy(term).forEach(met -> complete(met, term));
    call.renewLater(now());
    contender.renew(call);
    schedule(call);
  }

  private void onReleaseCall(CallId<Boolean> id, ReleaseCall release) {
    RingCall<S> call = held(release.token());
    Term term = call == null ? null : call.term();
    if (call != null && term != null) { // Who slept through its lease may have another after it.
      end(call, term.isOver(now()) ? Ending.LOST : Ending.RELEASED);
    }
    complete(id, call != null);
  }

  private void end(RingCall<S> call, Ending why) {
    byId.remove(call.id());
    cancelTimer(new CallDue(call.id()));
    call.renewals.drain().forEach(open -> fail(open, new LeaseLostException(call.lock())));
    contender.ended(call, why);
  }

  /** The application gave a call up. */
  public void cancelled(CallId<?> id) {
    for (RingCall<S> call : all()) {
      if (call.call().equals(id) && !call.isHeld()) {
        end(call, Ending.GIVEN_UP);
      }
    }
  }

  private void onDue(CallDue due) {
    RingCall<S> call = byId.get(due.id());
    if (call == null) {
      return;
    }
    Term term = call.term();
    if (term != null) {
      if (term.isOver(now())) {
        end(call, Ending.LOST);
        tell(new LeaseLost(call.lock(), call.id().time()));
        return;
      }
      if (call.untilRenewalNanos(now()) <= 0) {
        call.renewLater(now());
        contender.renew(call);
      }
    } else if (call.patienceNanos(now(), answerNanos) <= 0) {
      end(call, Ending.GIVEN_UP);
      fail(call.call(), new NotAcquiredException(call.lock()));
      return;
    } else {
      contender.waits(call);
    }
    schedule(call);
  }

  /** To be called after each change of a call. */
  public void schedule(RingCall<S> call) {
    Term term = call.term();
    long dueNanos =
        term == null
            ? Math.min(call.patienceNanos(now(), answerNanos), contender.untilDueNanos(call))
            : Math.min(term.remainingNanos(now()), call.untilRenewalNanos(now()));
    setTimer(new CallDue(call.id()), Math.max(LEAST_DELAY_NANOS, dueNanos));
  }
}
