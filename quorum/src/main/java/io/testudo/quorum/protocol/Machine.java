package io.testudo.quorum.protocol;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One side of a protocol, client or server: a deterministic state machine. {@link #step} takes an
 * input and the moment, changes the state and returns effects; it performs none of them. The same
 * inputs at the same moments with the same entropy give the same effects, always.
 *
 * <p>How to write one: the constructor names a handler for each message, timer and call with {@code
 * on...}; a handler reads like the paper's "upon" clause and uses {@link #send}, {@link #persist},
 * {@link #setTimer}, {@link #complete} and the others, which note effects of the present step. A
 * machine that does several things is assembled from {@link Part}s, which it makes in its
 * constructor. What a peer says is never a reason to throw; if a server's handler of a message
 * does, the runtime drops the message and starts the machine anew from its journal. A handler of
 * anything else that throws has found our own invariant broken, and the runtime ends the server.
 *
 * @param <P> how this machine names its peers: servers name clients, clients name servers
 */
public abstract class Machine<P> extends Part<P> {
  private final List<Inner<P>> inners = new ArrayList<>();
  private boolean started;

  protected Machine() {}

  /** Takes one input. The first must be {@link Input.Started}, and it comes only once. */
  public final List<Effect<P>> step(Input<P> input, Moment moment) {
    checkState(started != (input instanceof Input.Started), "a machine starts first, and once");
    effects().begin(moment);
    try {
      dispatch(input);
      return effects().all();
    } finally {
      effects().end();
    }
  }

  private void dispatch(Input<P> input) {
    if (input instanceof Input.Received<P> received) {
      receive(received);
    } else if (input instanceof Input.TimerFired<P> fired) {
      if (fired.key() instanceof Inner.Timer timer) {
        inners.get(timer.inner()).step(new Input.TimerFired<>(timer.key()));
      } else {
        known(handlers().of(fired.key()), fired.key()).accept(fired.key());
      }
    } else if (input instanceof Input.Called<P> called) {
      known(handlers().of(called.call()), called.call()).accept(called.id(), called.call());
    } else if (input instanceof Input.Cancelled<P> cancelled) {
      onCancelled(cancelled.id());
    } else if (input instanceof Input.Started<P> start) {
      started = true;
      inners.forEach(inner -> inner.step(start));
      onStarted(start.recovered());
    }
  }

  private void receive(Input.Received<P> received) {
    BiConsumer<P, Message> own = handlers().of(received.message());
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

  private <H> H known(@Nullable H handler, Object what) {
    if (handler == null) {
      throw unhandled(what);
    }
    return handler;
  }

  private IllegalArgumentException unhandled(Object what) {
    return new IllegalArgumentException(
        getClass().getSimpleName() + " does not handle " + what.getClass().getSimpleName());
  }

  /** Whether this machine takes such messages; the gateway lets no others through to it. */
  public final boolean handles(Message message) {
    if (handlers().of(message) != null) {
      return true;
    }
    for (Inner<P> inner : inners) { // A stream would cost more than all the rest, for each message.
      if (inner.handles(message)) {
        return true;
      }
    }
    return false;
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

  /**
   * Called when the application gave a call up; the machine forgets it and completes it no more.
   */
  protected void onCancelled(CallId<?> call) {}

  /** Takes a part that nothing else has to refer to: it hears messages, timers or calls. */
  protected final void assemble(Part<P> part) {
    checkArgument(part.handlers() == handlers(), "%s is a part of another machine", part);
  }

  /**
   * Lets another machine live inside of this one, from its start on; in the constructor. Its
   * messages are handled here, too. Where it keeps records, {@link #snapshot} has to include its
   * own.
   *
   * @param events hears what it tells
   */
  protected final Inner<P> adopt(Machine<P> machine, Consumer<Event> events) {
    checkState(!started, "a machine is adopted before the start");
    Inner<P> inner = new Inner<>(this, machine, inners.size(), events);
    inners.add(inner);
    return inner;
  }
}
