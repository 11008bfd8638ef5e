package io.testudo.quorum.protocol;

import io.testudo.quorum.TestudoException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A machine that lives inside another one, made by {@link Machine#adopt}. It gets the messages that
 * it handles, its own timers, and the calls of the outer machine; what it sends and persists goes
 * out with the step of the outer machine. To be used inside of a step only.
 *
 * @param <P> how both machines name their peers
 */
public final class Inner<P> {
  /** A timer of an inner machine, as the outer one knows it. */
  record Timer(int inner, TimerKey key) implements TimerKey {}

  private final Machine<P> outer;
  private final Machine<P> machine;
  private final int number;
  private final Consumer<Event> events;
  private final Map<Long, Waiting> calls = new HashMap<>();
  private long lastCall;

  private record Waiting(Consumer<Object> whenDone, Consumer<TestudoException> whenFailed) {}

  Inner(Machine<P> outer, Machine<P> machine, int number, Consumer<Event> events) {
    this.outer = outer;
    this.machine = machine;
    this.number = number;
    this.events = events;
  }

  /** Asks the inner machine for something. The answer may come before this method returns. */
  @SuppressWarnings("unchecked") // A machine answers a call with the type that the call names.
  public <R> CallId<R> call(
      Call<R> call, Consumer<R> whenDone, Consumer<TestudoException> whenFailed) {
    CallId<R> id = new CallId<>(++lastCall);
    calls.put(id.number(), new Waiting(result -> whenDone.accept((R) result), whenFailed));
    step(new Input.Called<>(id, call));
    return id;
  }

  /** Gives up a call; nothing more is heard of it. */
  public void cancel(CallId<?> id) {
    if (calls.remove(id.number()) != null) {
      step(new Input.Cancelled<>(id));
    }
  }

  boolean handles(Message message) {
    return machine.handles(message);
  }

  void step(Input<P> input) {
    for (Effect<P> effect : machine.step(input, outer.now())) {
      if (effect instanceof Effect.SetTimer<P> timer) {
        outer.setTimer(new Timer(number, timer.key()), timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<P> timer) {
        outer.cancelTimer(new Timer(number, timer.key()));
      } else if (effect instanceof Effect.Complete<P> complete) {
        Waiting waiting = calls.remove(complete.id().number());
        if (waiting != null) {
          waiting.whenDone().accept(complete.result());
        }
      } else if (effect instanceof Effect.Fail<P> failure) {
        Waiting waiting = calls.remove(failure.id().number());
        if (waiting != null) {
          waiting.whenFailed().accept(failure.reason());
        }
      } else if (effect instanceof Effect.Tell<P> tell) {
        events.accept(tell.event());
      } else {
        outer.effects().note(effect); // Sent or persisted.
      }
    }
  }
}
