package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Servers and contenders in virtual time, for runs of minutes and hours: messages take as long as
 * the test says, and a server may say what the test likes. What clients believe is checked.
 */
final class VirtualCluster {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;

  /** What a server says in the place of what it should. */
  interface Answers {
    List<Message> answer(ClientId to, Message asked, List<Message> honest);
  }

  private record Happening(long atNanos, long order, Runnable what)
      implements Comparable<Happening> {
    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  final LockChecker checker = new LockChecker();
  final List<Server> servers = new ArrayList<>();
  private final PriorityQueue<Happening> happenings = new PriorityQueue<>();
  private final Map<ClientId, Contender> contenders = new HashMap<>();
  private final Entropy entropy = Entropy.seeded(11);
  private ToLongFunction<Entropy> delayNanos = any -> MILLI;
  private long nowNanos;
  private long order;

  VirtualCluster(int size, Supplier<Machine<ClientId>> newServer) {
    for (int i = 0; i < size; i++) {
      servers.add(new Server(new ServerId(i), newServer));
    }
  }

  void delay(ToLongFunction<Entropy> nanos) {
    delayNanos = nanos;
  }

  void run(long forNanos) {
    long untilNanos = nowNanos + forNanos;
    while (!happenings.isEmpty() && happenings.peek().atNanos() <= untilNanos) {
      Happening next = happenings.remove();
      nowNanos = next.atNanos();
      next.what().run();
    }
    nowNanos = untilNanos;
  }

  private void after(long nanos, Runnable what) {
    happenings.add(new Happening(nowNanos + nanos, ++order, what));
  }

  /** What all machines have: clocks and timers. */
  abstract class SteppedMachine<P> implements Ticker {
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    /** By how much the wall clock is off. */
    long wallAheadMillis;

    private final Map<TimerKey, Long> timers = new HashMap<>();
    private long timerOrder;

    @Override
    public long nanos() {
      return nowNanos;
    }

    @Override
    public long wallMillis() {
      return EPOCH_MILLIS + wallAheadMillis + nowNanos / MILLI;
    }

    abstract Machine<P> machine();

    abstract void happened(Effect<P> effect);

    final List<Effect.Send<P>> step(Input<P> input) {
      List<Effect.Send<P>> sent = new ArrayList<>();
      for (Effect<P> effect : machine().step(input, new Moment(nanos(), wallMillis()))) {
        if (effect instanceof Effect.Send<P> send) {
          sent.add(send);
        } else if (effect instanceof Effect.SetTimer<P> timer) {
          long mine = ++timerOrder;
          timers.put(timer.key(), mine);
          after(timer.delayNanos(), () -> ring(timer.key(), mine));
        } else if (effect instanceof Effect.CancelTimer<P> timer) {
          timers.remove(timer.key());
        } else {
          happened(effect);
        }
      }
      return sent;
    }

    private void ring(TimerKey key, long mine) {
      if (timers.remove(key, mine)) {
        deliver(step(new Input.TimerFired<>(key)));
      }
    }

    abstract void deliver(List<Effect.Send<P>> sent);

    final void forgetTimers() {
      timers.clear();
    }
  }

  /** A server; one with answers of its own lies. */
  final class Server extends SteppedMachine<ClientId> {
    final ServerId id;
    final List<StateRecord> disk = new ArrayList<>();
    private final Supplier<Machine<ClientId>> newMachine;
    private Machine<ClientId> machine;
    private @Nullable Answers answers;
    boolean silent;
    long heard;

    Server(ServerId id, Supplier<Machine<ClientId>> newMachine) {
      this.id = id;
      this.newMachine = newMachine;
      this.machine = newMachine.get();
      step(new Input.Started<>(List.of()));
    }

    void lies(Answers how) {
      answers = how;
    }

    void restart() {
      forgetTimers();
      machine = newMachine.get();
      deliver(step(new Input.Started<>(disk)));
    }

    @Override
    Machine<ClientId> machine() {
      return machine;
    }

    @Override
    void happened(Effect<ClientId> effect) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        disk.add(persist.record());
      }
    }

    void hear(ClientId from, Message message) {
      if (silent) {
        return;
      }
      heard++;
      List<Effect.Send<ClientId>> sent = step(new Input.Received<>(from, message));
      if (answers == null) {
        deliver(sent);
        return;
      }
      List<Message> honest = new ArrayList<>();
      List<Effect.Send<ClientId>> others = new ArrayList<>();
      for (Effect.Send<ClientId> send : sent) {
        if (send.to().equals(from)) {
          honest.add(send.message());
        } else {
          others.add(send);
        }
      }
      for (Message answer : answers.answer(from, message, honest)) {
        others.add(new Effect.Send<>(from, answer));
      }
      deliver(others);
    }

    @Override
    void deliver(List<Effect.Send<ClientId>> sent) {
      int before = 0;
      for (Effect.Send<ClientId> send : sent) {
        Contender to = contenders.get(send.to());
        if (to != null && !silent) {
          // Liars are quicker than all others, and if they like, talk on and on.
          long usual = delayNanos.applyAsLong(entropy);
          long nanos = answers == null ? usual : usual / 4 * ++before;
          after(nanos, () -> to.hear(id, send.message()));
        }
      }
    }
  }

  /** A client that wants one lock again and again. */
  final class Contender extends SteppedMachine<ServerId> {
    final ClientId id;
    final List<TestudoException> failures = new ArrayList<>();
    private final Machine<ServerId> machine;
    private final String lock;
    private final long holdNanos;
    private final long stayNanos;
    long entries;
    long longestWaitNanos;
    long lastToken;
    private long begunNanos;
    private boolean waits;
    private long calls;

    Contender(ClientId id, Machine<ServerId> machine, String lock, long holdNanos, long stay) {
      this.id = id;
      this.machine = machine;
      this.lock = lock;
      this.holdNanos = holdNanos;
      this.stayNanos = stay;
      contenders.put(id, this);
      step(new Input.Started<>(List.of()));
    }

    /** Begins to contend after a while. */
    Contender begin(long afterNanos) {
      after(afterNanos, this::ask);
      return this;
    }

    private void ask() {
      begunNanos = nowNanos;
      waits = true;
      call(Acquire.of(lock, holdNanos, Acquire.FOREVER));
    }

    private void call(Call<?> call) {
      deliver(step(new Input.Called<>(new CallId<>(++calls), call)));
    }

    /** How long it waits now or has waited at most. */
    long longestWaitNanos() {
      return Math.max(longestWaitNanos, waits ? nowNanos - begunNanos : 0);
    }

    @Override
    Machine<ServerId> machine() {
      return machine;
    }

    void hear(ServerId from, Message message) {
      deliver(step(new Input.Received<>(from, message)));
    }

    @Override
    void happened(Effect<ServerId> effect) {
      if (effect instanceof Effect.Complete<ServerId> done && done.result() instanceof Held held) {
        checker.entered(id, this, held);
        entries++;
        lastToken = held.token();
        longestWaitNanos = longestWaitNanos();
        waits = false;
        after(stayNanos, () -> leave(held.token()));
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        failures.add(failure.reason());
        after(100 * MILLI, this::ask);
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        if (tell.event() instanceof LeaseRenewed renewed) {
          checker.renewed(id, renewed.lock(), renewed.token(), renewed.term());
        } else if (tell.event() instanceof LeaseLost lost) {
          checker.left(id, lost.lock(), lost.token());
        }
      }
    }

    private void leave(long token) {
      boolean unused = checker.left(id, lock, token);
      call(new ReleaseCall(lock, token));
      after(1, this::ask);
    }

    @Override
    void deliver(List<Effect.Send<ServerId>> sent) {
      for (Effect.Send<ServerId> send : sent) {
        Server to = servers.get(send.to().index());
        after(delayNanos.applyAsLong(entropy), () -> to.hear(id, send.message()));
      }
    }
  }
}
