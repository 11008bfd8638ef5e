package io.testudo.bench.virtual;

import io.testudo.bench.virtual.VirtualTime.Happening;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.TimerKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a machine in virtual time: it never errs or waits for a disk. */
public final class SimulatedMachine<P> {
  /** What a machine brings about outside of itself. */
  public interface Surroundings<P> {
    void send(P to, Message message);

    void completed(long call, Object result);

    void failed(long call, Throwable reason);
  }

  private final Machine<P> machine;
  private final VirtualTime time;
  private final Surroundings<P> surroundings;
  private final Map<TimerKey, Happening> timers = new HashMap<>();
  private boolean ended;

  public SimulatedMachine(Machine<P> machine, VirtualTime time, Surroundings<P> surroundings) {
    this.machine = machine;
    this.time = time;
    this.surroundings = surroundings;
    take(new Input.Started<>(List.of()));
  }

  /** Nothing happens if the machine has ended. */
  public void take(Input<P> input) {
    if (ended) {
      return;
    }
    for (Effect<P> effect : machine.step(input, time.now())) {
      carryOut(effect);
    }
  }

  /** Where it does not, nobody would give it such a message. */
  public boolean handles(Message message) {
    return machine.handles(message);
  }

  /** Ends the machine, with all that it knows. */
  public void end() {
    ended = true;
    timers.values().forEach(Happening::cancel);
    timers.clear();
  }

  private void carryOut(Effect<P> effect) {
    if (effect instanceof Effect.Send<P> send) {
      surroundings.send(send.to(), send.message());
    } else if (effect instanceof Effect.SetTimer<P> timer) {
      set(timer.key(), timer.delayNanos());
    } else if (effect instanceof Effect.CancelTimer<P> timer) {
      cancel(timer.key());
    } else if (effect instanceof Effect.Complete<P> complete) {
      surroundings.completed(complete.id().number(), complete.result());
    } else if (effect instanceof Effect.Fail<P> fail) {
      surroundings.failed(fail.id().number(), fail.reason());
    }
  }

  private void set(TimerKey key, long delayNanos) {
    Happening before =
        timers.put(
            key,
            time.after(
                delayNanos,
                () -> {
                  timers.remove(key);
                  take(new Input.TimerFired<>(key));
                }));
    if (before != null) {
      before.cancel();
    }
  }

  private void cancel(TimerKey key) {
    Happening happening = timers.remove(key);
    if (happening != null) {
      happening.cancel();
    }
  }
}
