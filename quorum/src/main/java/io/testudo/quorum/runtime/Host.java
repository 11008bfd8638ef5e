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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one machine: feeds it inputs, one after the other, and carries out its effects. Everything
 * happens on one loop, which the caller owns; the host starts no thread and takes no lock.
 *
 * <p>The order: what a step persists is durable before anything that this or a later step sends,
 * completes or tells goes out, because a later step may already speak of what an earlier one is
 * still writing. Timers do not leave the process and are set at once.
 *
 * <p>When something is thrown: on a message, by a machine that can be made anew, it is taken as the
 * peer's fault. Nothing of the step is carried out, and since the machine may have changed by
 * halves, a fresh one takes its place with what the journal has, as after a restart. Everything
 * else, and every {@link Error}, is our own: the host stops, and nothing is carried out or
 * acknowledged any more.
 *
 * @param <P> how the machine names its peers
 */
public final class Host<P> {
  private final @Nullable Supplier<Machine<P>> fresh;
  private final Transport<P, Message> transport;
  private final Ledger ledger;
  private final Ticker ticker;
  private final Alarm alarm;
  private final HostListener<P> listener;
  private final Map<TimerKey, Setting> timers = new HashMap<>();
  private final Map<Long, Waiting> calls = new HashMap<>();

  /** Seen by other threads, too, who ask what it handles. */
  private volatile Machine<P> machine;

  private long lastCall;
  private boolean running;

  /** Between a machine that threw and the one that takes its place. */
  private boolean restoring;

  /** A call in progress: who hears the answer, and what became of it if there is none. */
  private record Waiting(CallListener<?> listener, Outcome whenCutOff) {}

  /** One setting of a timer; a later one of the same key is another. */
  private static final class Setting {
    Alarm.@Nullable Ring ring;
  }

  /**
   * Prepares a machine that cannot be made anew; nothing happens before {@link #start}.
   *
   * @param ledger where the machine's state is kept; {@link Ledger#none()} for one that keeps none
   */
  public Host(
      Machine<P> machine,
      Transport<P, Message> transport,
      Ledger ledger,
      Ticker ticker,
      Alarm alarm,
      HostListener<P> listener) {
    this(machine, null, transport, ledger, ticker, alarm, listener);
  }

  /**
   * Prepares a machine that can be made anew: a server's.
   *
   * @param first of them
   * @param fresh makes others, as they are at each start
   */
  public static <P> Host<P> restorable(
      Machine<P> first,
      Supplier<Machine<P>> fresh,
      Transport<P, Message> transport,
      Ledger ledger,
      Ticker ticker,
      Alarm alarm,
      HostListener<P> listener) {
    return new Host<>(first, fresh, transport, ledger, ticker, alarm, listener);
  }

  private Host(
      Machine<P> machine,
      @Nullable Supplier<Machine<P>> fresh,
      Transport<P, Message> transport,
      Ledger ledger,
      Ticker ticker,
      Alarm alarm,
      HostListener<P> listener) {
    this.machine = machine;
    this.fresh = fresh;
    this.transport = transport;
    this.ledger = ledger;
    this.ticker = ticker;
    this.alarm = alarm;
    this.listener = listener;
  }

  /** Gives the machine what it knew before, and lets it begin. */
  public void start() {
    checkState(!running, "a host starts once");
    List<StateRecord> recovered = ledger.recover();
    running = true;
    step(new Input.Started<>(recovered));
  }

  /** Whether the machine takes such messages. */
  public boolean handles(Message message) {
    return machine.handles(message);
  }

  /** Runs {@code then} on the loop once a write has come to the disk; never, if none can. */
  public void prove(Runnable then) {
    if (running) {
      guarded(() -> ledger.prove(then));
    }
  }

  /** Ends the machine: nothing is carried out any more, and calls in progress fail. */
  public void stop() {
    running = false;
    List.copyOf(timers.keySet()).forEach(this::cancelTimer);
    cutCallsOff();
  }

  private void cutCallsOff() {
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

  /** Asks the machine for something. */
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
    if (restoring || ledger.isOverloaded()) {
      listener.overloaded(input);
    } else {
      step(input);
    }
  }

  private void step(Input<P> input) {
    List<Effect<P>> effects;
    List<byte[]> records;
    try {
      effects = machine.step(input, new Moment(ticker.nanos(), ticker.wallMillis()));
      records =
          ledger.encode(effects); // One that cannot be written must not follow some that were.
    } catch (Throwable e) {
      if (e instanceof RuntimeException fault
          && fresh != null
          && input instanceof Input.Received<P> received) {
        guarded(() -> restore(fresh, received, fault));
      } else {
        breakOff(e);
      }
      return;
    }
    try {
      listener.stepped(input, effects);
      perform(effects, records);
    } catch (Throwable e) {
      breakOff(e);
    }
  }

  /** The machine is replaced by one that knows what is on the disk; the message was never here. */
  private void restore(
      Supplier<Machine<P>> maker, Input.Received<P> received, RuntimeException fault) {
    restoring = true;
    List.copyOf(timers.keySet()).forEach(this::cancelTimer);
    cutCallsOff(); // Who takes its place knows nothing of them.
    listener.faulted(received, fault);
    ledger.recoverAgain(
        records ->
            guarded(
                () -> {
                  restoring = false;
                  if (running) {
                    machine = maker.get();
                    step(new Input.Started<>(ledger.decode(records)));
                  }
                }));
  }

  /**
   * What goes wrong inside is our own error, now or when the disk is ready, and ends the machine.
   */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      breakOff(e);
    }
  }

  private void breakOff(Throwable cause) {
    running = false; // First: with the memory gone, more than this may not be possible.
    try {
      stop();
    } finally {
      listener.broken(cause);
    }
  }

  /** What goes wrong inside is the caller's error, and does not concern the machine. */
  private static void answer(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  private void perform(List<Effect<P>> effects, List<byte[]> records) {
    for (byte[] record : records) {
      if (!running) {
        return; // A simulated crash may strike at any write: nothing of this step goes out then.
      }
      ledger.write(record);
    }
    if (!running) {
      return;
    }
    for (int i = 0; i < effects.size(); i++) {
      Effect<P> effect = effects.get(i);
      if (effect instanceof Effect.SetTimer<P> timer) {
        setTimer(timer.key(), timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<P> timer) {
        cancelTimer(timer.key());
      }
    }
    ledger.afterwards(() -> goOut(effects));
    ledger.compactIfGrown(machine::snapshot);
  }

  private void goOut(List<Effect<P>> effects) {
    try {
      carryOut(effects);
    } catch (Throwable e) {
      breakOff(e);
    }
  }

  private void carryOut(List<Effect<P>> effects) {
    boolean sent = false;
    for (int i = 0; i < effects.size(); i++) {
      Effect<P> effect = effects.get(i);
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
