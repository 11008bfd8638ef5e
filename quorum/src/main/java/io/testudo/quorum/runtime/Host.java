package io.testudo.quorum.runtime;

import static com.google.common.base.Preconditions.checkState;

import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Ticker;
import io.testudo.quorum.spi.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs one half: feeds it inputs, one after the other, and carries out its effects. Everything
 * happens on one loop, which the caller owns; the host starts no thread and takes no lock.
 *
 * <p>The order: what a step persists is durable before anything that this or a later step sends,
 * completes or tells goes out, because a later step may already speak of what an earlier one is
 * still writing. Timers do not leave the process and are set at once.
 *
 * @param <P> how the half names its peers
 */
public final class Host<P> {
  private final Machine<P> machine;
  private final Transport<P, Message> transport;
  private final Ledger ledger;
  private final Ticker ticker;
  private final Alarm alarm;
  private final HostListener<P> listener;
  private final Map<TimerKey, Setting> timers = new HashMap<>();
  private final Map<Long, Waiting> calls = new HashMap<>();
  private long lastCall;
  private boolean running;

  /** A call in progress: who hears the answer, and what became of it if there is none. */
  private record Waiting(CallListener<?> listener, Outcome whenCutOff) {}

  /** One setting of a timer; a later one of the same key is another. */
  private static final class Setting {
    Alarm.@Nullable Ring ring;
  }

  /**
   * Prepares a half; nothing happens before {@link #start}.
   *
   * @param ledger where the half's state is kept; {@link Ledger#none()} for one that keeps none
   */
  public Host(
      Machine<P> machine,
      Transport<P, Message> transport,
      Ledger ledger,
      Ticker ticker,
      Alarm alarm,
      HostListener<P> listener) {
    this.machine = machine;
    this.transport = transport;
    this.ledger = ledger;
    this.ticker = ticker;
    this.alarm = alarm;
    this.listener = listener;
  }

  /** Gives the half what it knew before, and lets it begin. */
  public void start() {
    checkState(!running, "a host starts once");
    List<StateRecord> recovered = ledger.recover();
    running = true;
    step(new Input.Started<>(recovered));
  }

  /** Ends the half: nothing is carried out any more, and calls in progress fail. */
  public void stop() {
    running = false;
    List.copyOf(timers.keySet()).forEach(this::cancelTimer);
    List<Waiting> open = List.copyOf(calls.values());
    calls.clear();
    open.forEach(
        call -> answer(() -> call.listener().failed(new ClosedException(call.whenCutOff()))));
  }

  public boolean isRunning() {
    return running;
  }

  /** Hands over a message that came over the authenticated channel of {@code from}. */
  public void receive(P from, Message message) {
    offer(new Input.Received<>(from, message));
  }

  /** Asks the half for something. */
  public <R> CallId<R> call(Call<R> call, CallListener<R> whenDone) {
    checkState(running, "the host is not running");
    CallId<R> id = new CallId<>(++lastCall);
    calls.put(id.number(), new Waiting(whenDone, call.whenCutOff()));
    step(new Input.Called<>(id, call));
    return id;
  }

  /** Gives up a call; its listener hears nothing more. */
  public void cancel(CallId<?> id) {
    if (running && calls.remove(id.number()) != null) {
      step(new Input.Cancelled<>(id));
    }
  }

  private void offer(Input<P> input) {
    if (!running) {
      return;
    }
    if (ledger.isOverloaded()) {
      listener.overloaded(input);
    } else {
      step(input);
    }
  }

  private void step(Input<P> input) {
    guarded(
        () -> {
          List<Effect<P>> effects =
              machine.step(input, new Moment(ticker.nanos(), ticker.wallMillis()));
          listener.stepped(input, effects);
          perform(effects);
        });
  }

  /** What goes wrong inside is our own error, now or when the disk is ready, and ends the half. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      stop();
      listener.broken(e);
    }
  }

  /** What goes wrong inside is the caller's error, and does not concern the half. */
  private static void answer(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  private void perform(List<Effect<P>> effects) {
    for (Effect<P> effect : effects) {
      if (!running) {
        return; // A simulated crash may strike at any write: nothing of this step goes out then.
      }
      if (effect instanceof Effect.Persist<P> persist) {
        ledger.write(persist.record());
      } else if (effect instanceof Effect.SetTimer<P> timer) {
        setTimer(timer.key(), timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<P> timer) {
        cancelTimer(timer.key());
      }
    }
    if (running) {
      ledger.afterwards(() -> guarded(() -> goOut(effects)));
      ledger.compactIfGrown(machine::snapshot);
    }
  }

  private void goOut(List<Effect<P>> effects) {
    boolean sent = false;
    for (Effect<P> effect : effects) {
      if (!running) {
        return;
      }
      if (effect instanceof Effect.Send<P> send) {
        transport.send(send.to(), send.message());
        sent = true;
      } else if (effect instanceof Effect.Complete<P> complete) {
        complete(complete);
      } else if (effect instanceof Effect.Fail<P> failure) {
        Waiting waiting = calls.remove(failure.id().number());
        if (waiting != null) {
          answer(() -> waiting.listener().failed(failure.reason()));
        }
      } else if (effect instanceof Effect.Tell<P> tell) {
        listener.told(tell.event());
      }
    }
    if (sent) {
      transport.flush();
    }
  }

  // The machine answers a call with the type that the call names: Machine.complete sees to it.
  @SuppressWarnings("unchecked")
  private void complete(Effect.Complete<P> complete) {
    Waiting waiting = calls.remove(complete.id().number());
    if (waiting != null) {
      answer(() -> ((CallListener<Object>) waiting.listener()).completed(complete.result()));
    }
  }

  private void setTimer(TimerKey key, long delayNanos) {
    cancelTimer(key);
    Setting setting = new Setting();
    timers.put(key, setting);
    setting.ring = alarm.after(delayNanos, () -> ring(key, setting));
  }

  private void cancelTimer(TimerKey key) {
    Setting setting = timers.remove(key);
    if (setting != null && setting.ring != null) {
      setting.ring.cancel();
    }
  }

  /** An alarm may ring although it was cancelled, if it was too late for that: then it is void. */
  private void ring(TimerKey key, Setting setting) {
    if (running && timers.remove(key, setting)) {
      step(new Input.TimerFired<>(key));
    }
  }
}
