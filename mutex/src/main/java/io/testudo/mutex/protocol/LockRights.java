package io.testudo.mutex.protocol;

import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Inner;
import io.testudo.quorum.protocol.Machine;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The client machine of any lock protocol, whose callers hear at once that they lack the right to a
 * lock, instead of waiting for servers that will never grant it. One server's word is nothing:
 * those that lie would end every call.
 */
public final class LockRights extends Machine<ServerId> {
  private final Inner<ServerId> locks;
  private final Thresholds thresholds;

  /** Calls in progress, as their callers know them. */
  private final Map<Long, Asked> calls = new HashMap<>();

  /** Only of locks with calls in progress: rights may change, and the next call asks again. */
  private final Map<String, Refusals> refusals = new HashMap<>();

  private static final class Asked {
    final String lock;
    final Call<?> what;

    /** Null while the inner machine is being asked. */
    @Nullable CallId<?> inner;

    Asked(String lock, Call<?> what) {
      this.lock = lock;
      this.what = what;
    }
  }

  private static final class Refusals {
    final Set<Long> calls = new LinkedHashSet<>();
    ServerSet refusing = ServerSet.none();

    /** Those of them that do so because of how our ranks are sealed. */
    ServerSet becauseOfSeals = ServerSet.none();
  }

  /**
   * Puts itself before a client machine.
   *
   * @param thresholds how many must say the same to be believed
   */
  public LockRights(Machine<ServerId> protocol, Thresholds thresholds) {
    this.locks = adopt(protocol, this::tell);
    this.thresholds = thresholds;
    onCall(Acquire.class, (CallId<Held> id, Acquire call) -> ask(id, call.lock(), call));
    onCall(RenewCall.class, (CallId<Term> id, RenewCall call) -> ask(id, call.lock(), call));
    onCall(ReleaseCall.class, (CallId<Boolean> id, ReleaseCall call) -> ask(id, call.lock(), call));
    onMessage(NoRight.class, this::onNoRight);
  }

  private <R> void ask(CallId<R> id, String lock, Call<R> what) {
    Asked asked = new Asked(lock, what);
    calls.put(id.number(), asked);
    refusals.computeIfAbsent(lock, any -> new Refusals()).calls.add(id.number());
    asked.inner =
        locks.call(
            what,
            result -> {
              end(id.number());
              complete(id, result);
            },
            reason -> {
              end(id.number());
              fail(id, reason);
            });
  }

  private @Nullable Asked end(long number) {
    Asked asked = calls.remove(number);
    if (asked != null) {
      refusals.computeIfPresent(
          asked.lock,
          (lock, those) -> {
            those.calls.remove(number);
            return those.calls.isEmpty() ? null : those;
          });
    }
    return asked;
  }

  private void onNoRight(ServerId from, NoRight refusal) {
    Refusals those = refusals.get(refusal.name());
    if (those == null || refusal.right() != Right.LOCK) {
      return; // Late, or about nothing that was asked.
    }
    those.refusing = those.refusing.with(from);
    if (refusal.sealsOtherwise()) {
      those.becauseOfSeals = those.becauseOfSeals.with(from);
    }
    if (those.refusing.size() < thresholds.vouchers()) {
      return;
    }
    for (long number : List.copyOf(those.calls)) {
      Asked asked = giveUp(number);
      if (asked != null) {
        Outcome outcome = asked.what.whenCutOff();
        fail(
            new CallId<>(number),
            those.becauseOfSeals.size() >= thresholds.vouchers()
                ? NotAllowedException.sealsOtherwise(refusal.name(), Right.LOCK, outcome)
                : new NotAllowedException(refusal.name(), Right.LOCK, outcome));
      }
    }
  }

  /** Servers that did grant it get it back. */
  private @Nullable Asked giveUp(long number) {
    Asked asked = end(number);
    if (asked != null && asked.inner != null) {
      locks.cancel(asked.inner);
    }
    return asked;
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    Asked unused = giveUp(call.number());
  }
}
