package io.testudo.quorum.protocol;

import io.testudo.quorum.TestudoException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A part of a machine: it does one of the things that the machine is there for, with a state of its
 * own. Its constructor names a handler for each message, timer and call that it is to hear of; no
 * other part of the same machine may name the same. What handlers bring about is noted with {@link
 * #send}, {@link #persist} and the others, and goes out with the step of the machine. Parts call
 * each other by their methods, inside of a step only.
 *
 * @param <P> how the machine names its peers
 */
public abstract class Part<P> {
  private final Handlers<P> handlers;
  private final Effects<P> effects;

  /** For the machine itself. */
  Part() {
    this.handlers = new Handlers<>();
    this.effects = new Effects<>();
  }

  /** A part of the same machine as another one. */
  protected Part(Part<P> other) {
    this.handlers = other.handlers;
    this.effects = other.effects;
  }

  final Handlers<P> handlers() {
    return handlers;
  }

  /** To note what the present step brings about, for what is no part. */
  protected final Effects<P> effects() {
    return effects;
  }

  /** Names the handler of a message. */
  protected final <M extends Message> void onMessage(Class<M> type, BiConsumer<P, M> handler) {
    handlers.onMessage(type, handler);
  }

  /** Names the handler of a timer. */
  protected final <T extends TimerKey> void onTimer(Class<T> type, Consumer<T> handler) {
    handlers.onTimer(type, handler);
  }

  /** Names the handler of a call. */
  protected final <R, C extends Call<R>> void onCall(
      Class<C> type, BiConsumer<CallId<R>, C> handler) {
    handlers.onCall(type, handler);
  }

  /** The moment of the present step. */
  protected final Moment now() {
    return effects.now();
  }

  protected final void send(P to, Message message) {
    effects.send(to, message);
  }

  /** Sends the same to several, in their order. */
  protected final void sendAll(Iterable<P> peers, Message message) {
    peers.forEach(peer -> effects.send(peer, message));
  }

  protected final void persist(StateRecord record) {
    effects.persist(record);
  }

  protected final void setTimer(TimerKey key, long delayNanos) {
    effects.setTimer(key, delayNanos);
  }

  protected final void cancelTimer(TimerKey key) {
    effects.cancelTimer(key);
  }

  protected final <R> void complete(CallId<R> call, R result) {
    effects.complete(call, result);
  }

  protected final void fail(CallId<?> call, TestudoException reason) {
    effects.fail(call, reason);
  }

  protected final void tell(Event event) {
    effects.tell(event);
  }
}
