package io.testudo.client.inquiry;

import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine on its own: the test plays its peers, its callers and the clock. */
final class Stage<P> {
  private final Machine<P> machine;
  long nanos;
  long wallMillis = 1_000_000;
  final List<Effect<P>> effects = new ArrayList<>();
  final Map<TimerKey, Long> timers = new LinkedHashMap<>();
  private long calls;

  Stage(Machine<P> machine) {
    this.machine = machine;
    step(new Input.Started<>(List.of()));
  }

  void step(Input<P> input) {
    effects.clear();
    effects.addAll(machine.step(input, new Moment(nanos, wallMillis)));
    for (Effect<P> effect : effects) {
      if (effect instanceof Effect.SetTimer<P> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<P> timer) {
        timers.remove(timer.key());
      }
    }
  }

  void receive(P from, Message message) {
    step(new Input.Received<>(from, message));
  }

  <R> CallId<R> call(Call<R> call) {
    CallId<R> id = new CallId<>(++calls);
    step(new Input.Called<>(id, call));
    return id;
  }

  /** Lets the time pass to the next timer, and fires it. */
  void fireNext() {
    Map.Entry<TimerKey, Long> next =
        timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    timers.remove(next.getKey());
    nanos = next.getValue();
    step(new Input.TimerFired<>(next.getKey()));
  }

  List<Effect.Send<P>> sends() {
    List<Effect.Send<P>> sends = new ArrayList<>();
    for (Effect<P> effect : effects) {
      if (effect instanceof Effect.Send<P> send) {
        sends.add(send);
      }
    }
    return sends;
  }

  /** What the call was answered with in the last step, or null. */
  @Nullable Object result() {
    for (Effect<P> effect : effects) {
      if (effect instanceof Effect.Complete<P> complete) {
        return complete.result();
      }
    }
    return null;
  }
}
