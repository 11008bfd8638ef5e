package io.testudo.mutex.sim;

import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster in which nothing happens by itself: the test moves time, delivers messages and rings
 * timers. For schedules that chance would rarely find. What clients believe is checked.
 */
final class ByHand {
  static final long MILLI = 1_000_000L;
  static final LockTiming TIMING =
      new LockTiming(40 * MILLI, 0.05, 60 * MILLI, 300 * MILLI, 10_000);

  /** What a client asks for, for the longest hold, while messages are as fast as they should be. */
  static final long LEASE_NANOS = TIMING.leaseNanos(TIMING.maxHoldNanos());

  /** How long a server keeps a lock for that, on its own clock. */
  static final long SERVER_LEASE_NANOS = TIMING.serverLeaseNanos(LEASE_NANOS);

  /** How long a server waits after a restart. */
  static final long QUARANTINE_NANOS = TIMING.serverLeaseNanos(TIMING.maxLeaseNanos());

  final Thresholds thresholds = BackoffProtocol.ALL_SERVERS.thresholds(4, 1);
  final List<Server> servers = new ArrayList<>();
  final LockChecker checker = new LockChecker();
  private long trueNanos;
  private long sessions;

  ByHand() {
    for (int i = 0; i < thresholds.servers(); i++) {
      servers.add(new Server(new ServerId(i)));
    }
  }

  void pass(long nanos) {
    trueNanos += nanos;
  }

  Client newClient(double rate) {
    return new Client(new ClientId("c" + sessions, ++sessions, 1), rate);
  }

  /** What all machines have: a clock of their own, and timers that ring when the test says so. */
  abstract class SteppedMachine<P> implements Ticker {
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    double rate = 1;

    /** By how much the wall clock is off. */
    long wallAheadMillis;

    final List<Event> told = new ArrayList<>();
    private final Map<TimerKey, Long> timers = new LinkedHashMap<>();

    @Override
    public long nanos() {
      return (long) (trueNanos * rate);
    }

    @Override
    public long wallMillis() {
      return EPOCH_MILLIS + wallAheadMillis + nanos() / MILLI;
    }

    abstract Machine<P> machine();

    /** Makes a step and returns what it sends. */
    List<Effect.Send<P>> step(Input<P> input) {
      List<Effect.Send<P>> sent = new ArrayList<>();
      for (Effect<P> effect : machine().step(input, new Moment(nanos(), wallMillis()))) {
        if (effect instanceof Effect.Send<P> send) {
          sent.add(send);
        } else if (effect instanceof Effect.SetTimer<P> timer) {
          timers.put(timer.key(), nanos() + timer.delayNanos());
        } else if (effect instanceof Effect.CancelTimer<P> timer) {
          timers.remove(timer.key());
        } else if (effect instanceof Effect.Tell<P> tell) {
          told.add(tell.event());
        }
        happened(effect);
      }
      return sent;
    }

    void happened(Effect<P> effect) {}

    /** Rings all timers that are due, and returns what is sent. */
    List<Effect.Send<P>> ring() {
      List<Effect.Send<P>> sent = new ArrayList<>();
      for (Map.Entry<TimerKey, Long> timer : List.copyOf(timers.entrySet())) {
        if (timer.getValue() <= nanos() && timers.remove(timer.getKey(), timer.getValue())) {
          sent.addAll(step(new Input.TimerFired<>(timer.getKey())));
        }
      }
      return sent;
    }

    void forgetTimers() {
      timers.clear();
    }
  }

  /** A server that never lies. */
  final class Server extends SteppedMachine<ClientId> {
    final ServerId id;
    final List<StateRecord> disk = new ArrayList<>();
    private BackoffServer machine = new BackoffServer(TIMING);

    Server(ServerId id) {
      this.id = id;
      step(new Input.Started<>(List.of()));
    }

    @Override
    BackoffServer machine() {
      return machine;
    }

    @Override
    void happened(Effect<ClientId> effect) {
      if (effect instanceof Effect.Persist<ClientId> persist) {
        disk.add(persist.record());
      }
    }

    void restart() {
      forgetTimers();
      machine = new BackoffServer(TIMING);
      step(new Input.Started<>(disk));
    }

    /** Hears one message and gives the answers, to whomever they go. */
    List<Message> hear(ClientId from, Message message) {
      return step(new Input.Received<>(from, message)).stream().map(Effect.Send::message).toList();
    }
  }

  /** A client; what it believes goes to the checker at once. */
  final class Client extends SteppedMachine<ServerId> {
    final ClientId id;
    final List<Held> entered = new ArrayList<>();
    final List<Object> answers = new ArrayList<>();
    private final BackoffClient machine;
    private long calls;

    Client(ClientId id, double rate) {
      this.id = id;
      this.rate = rate;
      this.machine =
          new BackoffClient(
              thresholds,
              TIMING,
              BackoffTuning.standard(),
              id.session(),
              RankSeals.none(),
              Entropy.seeded(id.session()));
      step(new Input.Started<>(List.of()));
    }

    @Override
    BackoffClient machine() {
      return machine;
    }

    @Override
    void happened(Effect<ServerId> effect) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        answers.add(complete.result());
        if (complete.result() instanceof Held held) {
          entered.add(held);
          checker.entered(id, this, held);
        }
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        answers.add(failure.reason());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        if (tell.event() instanceof LeaseRenewed renewed) {
          checker.renewed(id, renewed.lock(), renewed.token(), renewed.term());
        } else if (tell.event() instanceof LeaseLost lost) {
          checker.left(id, lost.lock(), lost.token());
        }
      }
    }

    List<Effect.Send<ServerId>> call(Call<?> call) {
      return step(new Input.Called<>(new CallId<>(++calls), call));
    }

    List<Effect.Send<ServerId>> hear(int server, Message message) {
      return step(new Input.Received<>(new ServerId(server), message));
    }

    /** Delivers what was sent to some of the servers, and gives their answers. */
    List<Reply> reach(List<Effect.Send<ServerId>> sent, int... reached) {
      List<Reply> replies = new ArrayList<>();
      for (Effect.Send<ServerId> send : sent) {
        for (int server : reached) {
          if (send.to().index() == server) {
            for (Message answer : servers.get(server).hear(id, send.message())) {
              replies.add(new Reply(server, answer));
            }
          }
        }
      }
      return replies;
    }

    void hearAll(List<Reply> replies) {
      replies.forEach(reply -> hear(reply.server(), reply.message()));
    }
  }

  /** An answer under way. */
  record Reply(int server, Message message) {}
}
