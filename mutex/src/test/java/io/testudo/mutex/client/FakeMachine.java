package io.testudo.mutex.client;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lock protocol without servers: grants from memory, in the order of requests. */
final class FakeMachine extends Machine<ServerId> {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Requests that wait. */
  final AtomicInteger waiting = new AtomicInteger();

  /** Requests that were withdrawn. */
  final AtomicInteger withdrawn = new AtomicInteger();

  /** Tokens that were given back while they were held. */
  final List<Long> released = new CopyOnWriteArrayList<>();

  /** The names of locks in the order in which they were granted. */
  final List<String> granted = new CopyOnWriteArrayList<>();

  /** Requests in their order. */
  final List<Acquire> asked = new CopyOnWriteArrayList<>();

  /** Locks whose holder is to lose them. */
  final Set<String> toLose = ConcurrentHashMap.newKeySet();

  /** Whether requests get no answer at all. */
  volatile boolean silent;

  /** Whether too few servers agree to renewals, and to requests that may not wait. */
  volatile boolean cutOff;

  private final Map<String, Grant> grants = new HashMap<>();
  private final Map<String, Deque<Request>> queues = new HashMap<>();
  private long lastToken;

  private record Request(CallId<Held> id, Acquire acquire) {}

  private record Grant(long token, Acquire acquire, long enteredNanos) {}

  private record WaitOver(String lock, CallId<Held> id) implements TimerKey {}

  private record Look(String lock, long token) implements TimerKey {}

  private record TermOver(String lock, long token) implements TimerKey {}

  FakeMachine() {
    onCall(Acquire.class, this::onAcquire);
    onCall(RenewCall.class, this::onRenew);
    onCall(ReleaseCall.class, this::onRelease);
    onTimer(WaitOver.class, this::onWaitOver);
    onTimer(TermOver.class, this::onTermOver);
    onTimer(Look.class, this::onLook);
  }

  private void onAcquire(CallId<Held> id, Acquire acquire) {
    Request request = new Request(id, acquire);
    asked.add(acquire);
    if (silent) {
      queue(acquire.lock()).add(request);
      waiting.incrementAndGet();
    } else if (acquire.waitNanos() == 0 && cutOff) {
      fail(id, noQuorum());
    } else if (!grants.containsKey(acquire.lock())) {
      grant(request);
    } else if (acquire.waitNanos() == 0) {
      fail(id, new NotAcquiredException(acquire.lock()));
    } else {
      queue(acquire.lock()).add(request);
      waiting.incrementAndGet();
      if (acquire.waitNanos() != Acquire.FOREVER) {
        setTimer(new WaitOver(acquire.lock(), id), acquire.waitNanos());
      }
    }
  }

  private static NoQuorumException noQuorum() {
    return new NoQuorumException(ServerSet.none(), 4, 3, Outcome.DID_NOT_HAPPEN);
  }

  private Deque<Request> queue(String lock) {
    return queues.computeIfAbsent(lock, any -> new ArrayDeque<>());
  }

  private void grant(Request request) {
    Acquire acquire = request.acquire();
    long token = ++lastToken;
    grants.put(acquire.lock(), new Grant(token, acquire, now().nanos()));
    granted.add(acquire.lock());
    setTimer(new Look(acquire.lock(), token), LOOK_NANOS);
    complete(
        request.id(),
        new Held(acquire.lock(), token, begin(acquire.lock(), token, acquire.holdNanos())));
  }

  private Term begin(String lock, long token, long holdNanos) {
    setTimer(new TermOver(lock, token), holdNanos);
    return new Term(now(), holdNanos);
  }

  private void onLook(Look look) {
    if (holder(look.lock(), look.token()) == null) {
      return;
    }
    if (toLose.remove(look.lock())) {
      tell(new LeaseLost(look.lock(), look.token()));
      free(look.lock());
    } else {
      setTimer(look, LOOK_NANOS);
    }
  }

  private void onTermOver(TermOver over) {
    Grant grant = grants.get(over.lock());
    if (grant == null || grant.token() != over.token()) {
      return;
    }
    Acquire acquire = grant.acquire();
    if (now().nanos() - grant.enteredNanos() < acquire.keepNanos()) {
      Term longer = begin(over.lock(), over.token(), acquire.holdNanos());
      tell(new LeaseRenewed(over.lock(), over.token(), longer));
    } else {
      tell(new LeaseLost(over.lock(), over.token()));
      free(over.lock());
    }
  }

  private void free(String lock) {
    grants.remove(lock);
    Request next = queue(lock).poll();
    if (next != null) {
      waiting.decrementAndGet();
      cancelTimer(new WaitOver(lock, next.id()));
      grant(next);
    }
  }

  private void onRenew(CallId<Term> id, RenewCall renew) {
    if (cutOff) {
      fail(id, noQuorum());
    } else if (holder(renew.lock(), renew.token()) == null) {
      fail(id, new LeaseLostException(renew.lock()));
    } else {
      complete(id, begin(renew.lock(), renew.token(), renew.holdNanos()));
    }
  }

  private @Nullable Grant holder(String lock, long token) {
    Grant grant = grants.get(lock);
    return grant != null && grant.token() == token ? grant : null;
  }

  private void onRelease(CallId<Boolean> id, ReleaseCall release) {
    boolean held = holder(release.lock(), release.token()) != null;
    if (held) {
      released.add(release.token());
      free(release.lock());
    }
    complete(id, held);
  }

  private void onWaitOver(WaitOver over) {
    if (remove(over.id())) {
      fail(over.id(), new NotAcquiredException(over.lock()));
    }
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    if (remove(call)) {
      withdrawn.incrementAndGet();
    }
  }

  private boolean remove(CallId<?> call) {
    boolean removed = false;
    for (Deque<Request> queue : new ArrayList<>(queues.values())) {
      removed |= queue.removeIf(request -> request.id().number() == call.number());
    }
    if (removed) {
      waiting.decrementAndGet();
    }
    return removed;
  }
}
