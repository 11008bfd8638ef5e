package io.testudo.quorum.protocol;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.TestudoException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One half of a protocol, client or server: a deterministic state machine. {@link #step} takes an
 * input and the moment, changes the state and returns effects; it performs none of them. The same
 * inputs at the same moments with the same entropy give the same effects, always.
 *
 * <p>How to write one: the constructor names a handler for each message, timer and call with {@code
 * on...}; a handler reads like the paper's "upon" clause and uses {@link #send}, {@link #persist},
 * {@link #setTimer}, {@link #complete} and the others, which note effects of the present step. What
 * a peer says is never a reason to throw; if a server's handler of a message does, the runtime
 * drops the message and starts the half anew from its journal. A handler of anything else that
 * throws has found our own invariant broken, and the runtime ends the server.
 *
 * @param <P> how this half names its peers: servers name clients, clients name servers
 */
public abstract class Machine<P> {
  private final Map<Class<?>, BiConsumer<P, Message>> messageHandlers = new HashMap<>();
  private final Map<Class<?>, Consumer<TimerKey>> timerHandlers = new HashMap<>();
  private final Map<Class<?>, BiConsumer<CallId<?>, Call<?>>> callHandlers = new HashMap<>();

  private final List<Inner<P>> inners = new ArrayList<>();
  private final List<Effect<P>> effects = new ArrayList<>();
  private @Nullable Moment now;
  private boolean started;

  protected Machine() {}

  /** Takes one input. The first must be {@link Input.Started}, and it comes only once. */
  public final List<Effect<P>> step(Input<P> input, Moment moment) {
    checkState(now == null, "a step was begun inside a step");
    checkState(started != (input instanceof Input.Started), "a half starts first, and once");
    now = moment;
    try {
      dispatch(input);
      return effects.isEmpty() ? List.of() : List.copyOf(effects);
    } finally {
      effects.clear();
      now = null;
    }
  }

  private void dispatch(Input<P> input) {
    if (input instanceof Input.Received<P> received) {
      receive(received);
    } else if (input instanceof Input.TimerFired<P> fired) {
      if (fired.key() instanceof Inner.Timer timer) {
        inners.get(timer.inner()).step(new Input.TimerFired<>(timer.key()));
      } else {
        handlerOf(timerHandlers, fired.key()).accept(fired.key());
      }
    } else if (input instanceof Input.Called<P> called) {
      handlerOf(callHandlers, called.call()).accept(called.id(), called.call());
    } else if (input instanceof Input.Cancelled<P> cancelled) {
      onCancelled(cancelled.id());
    } else if (input instanceof Input.Started<P> start) {
      started = true;
      inners.forEach(inner -> inner.step(start));
      onStarted(start.recovered());
    }
  }

  private void receive(Input.Received<P> received) {
    BiConsumer<P, Message> own = messageHandlers.get(received.message().getClass());
    if (own != null) {
      own.accept(received.from(), received.message());
      return;
    }
    for (Inner<P> inner : inners) {
      if (inner.handles(received.message())) {
        inner.step(received);
        return;
      }
    }
    throw unhandled(received.message());
  }

  private <H> H handlerOf(Map<Class<?>, H> handlers, Object what) {
    H handler = handlers.get(what.getClass());
    if (handler == null) {
      throw unhandled(what);
    }
    return handler;
  }

  private IllegalArgumentException unhandled(Object what) {
    return new IllegalArgumentException(
        getClass().getSimpleName() + " does not handle " + what.getClass().getSimpleName());
  }

  /** Whether this half takes such messages; the gateway lets no others through to it. */
  public final boolean handles(Message message) {
    return messageHandlers.containsKey(message.getClass())
        || inners.stream().anyMatch(inner -> inner.handles(message));
  }

  /**
   * What a restart needs to know of the present state, as few records as possible. The runtime puts
   * them in the place of a log that has grown long.
   */
  public List<StateRecord> snapshot() {
    return List.of();
  }

  /** Called with what was kept, in the order in which it was persisted. */
  protected void onStarted(List<StateRecord> recovered) {}

  /** Called when the application gave a call up; the half forgets it and completes it no more. */
  protected void onCancelled(CallId<?> call) {}

  /**
   * Lets another half live inside of this one, from its start on; in the constructor. Its messages
   * are handled here, too. Where it keeps records, {@link #snapshot} has to include its own.
   *
   * @param events hears what it tells
   */
  protected final Inner<P> adopt(Machine<P> half, Consumer<Event> events) {
    checkState(!started, "a half is adopted before the start");
    Inner<P> inner = new Inner<>(this, half, inners.size(), events);
    inners.add(inner);
    return inner;
  }

  /** Names the handler of a message. */
  protected final <M extends Message> void onMessage(Class<M> type, BiConsumer<P, M> handler) {
    register(messageHandlers, type, (from, message) -> handler.accept(from, type.cast(message)));
  }

  /** Names the handler of a timer. */
  protected final <T extends TimerKey> void onTimer(Class<T> type, Consumer<T> handler) {
    register(timerHandlers, type, key -> handler.accept(type.cast(key)));
  }

  /** Names the handler of a call. */
  protected final <R, C extends Call<R>> void onCall(
      Class<C> type, BiConsumer<CallId<R>, C> handler) {
    register(
        callHandlers,
        type,
        (id, call) -> handler.accept(new CallId<>(id.number()), type.cast(call)));
  }

  private <H> void register(Map<Class<?>, H> handlers, Class<?> type, H handler) {
    checkState(handlers.put(type, handler) == null, "%s has two handlers", type.getSimpleName());
  }

  /** The moment of the present step. */
  protected final Moment now() {
    checkState(now != null, "there is no present moment outside of a step");
    return now;
  }

  protected final void send(P to, Message message) {
    note(new Effect.Send<>(to, message));
  }

  protected final void persist(StateRecord record) {
    note(new Effect.Persist<>(record));
  }

  protected final void setTimer(TimerKey key, long delayNanos) {
    checkArgument(delayNanos >= 0, "the timer %s is set into the past", key);
    note(new Effect.SetTimer<>(key, delayNanos));
  }

  protected final void cancelTimer(TimerKey key) {
    note(new Effect.CancelTimer<>(key));
  }

  protected final <R> void complete(CallId<R> call, R result) {
    note(new Effect.Complete<>(call, result));
  }

  protected final void fail(CallId<?> call, TestudoException reason) {
    note(new Effect.Fail<>(call, reason));
  }

  protected final void tell(Event event) {
    note(new Effect.Tell<>(event));
  }

  final void note(Effect<P> effect) {
    checkState(now != null, "an effect was noted outside of a step");
    effects.add(effect);
  }
}
