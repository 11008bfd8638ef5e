package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.sigma.SigmaClient;
import io.testudo.mutex.sigma.SigmaLockView;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sigma.SigmaServer;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Servers and clients of Sigma whose letters lie where they were posted until the test delivers
 * them. For schedules that chance would rarely find; what clients believe is checked. {@link #run}
 * lets things happen by themselves for a while, each letter after a millisecond.
 */
final class SigmaByHand implements Ticker {
  static final long MILLI = 1_000_000L;
  static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.05, 60 * MILLI, 300 * MILLI, 10_000);
  static final SigmaTuning TUNING = new SigmaTuning(false, 50 * MILLI, 100 * MILLI, 800 * MILLI);
  static final String LOCK = "printer";
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  final Thresholds thresholds;
  final LockChecker checker = new LockChecker();
  final List<Server> servers = new ArrayList<>();
  final List<Letter> mail = new ArrayList<>();
  final Set<ServerId> away = new HashSet<>();
  private final Map<ClientId, Client> clients = new LinkedHashMap<>();
  private final SigmaTuning tuning;
  private long nanos;
  private long posted;

  /** A message under way between a client and a server. */
  record Letter(ClientId client, ServerId server, boolean toServer, Message message, long number) {
    boolean isTo(int index) {
      return toServer && server.index() == index;
    }

    boolean isFrom(int index) {
      return !toServer && server.index() == index;
    }

    boolean isOf(Client who) {
      return client.equals(who.id);
    }

    boolean is(Class<? extends Message> type) {
      return type.isInstance(message);
    }
  }

  SigmaByHand(int n, int faults, SigmaTuning tuning) {
    this.thresholds = SigmaProtocol.CRASHES.thresholds(n, faults);
    this.tuning = tuning;
    for (int i = 0; i < n; i++) {
      servers.add(new Server(new ServerId(i)));
    }
  }

  static SigmaByHand ofFour() {
    return new SigmaByHand(4, 1, TUNING);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return EPOCH_MILLIS + nanos / MILLI;
  }

  private Moment now() {
    return new Moment(nanos, wallMillis());
  }

  Client newClient(String name) {
    Client client = new Client(new ClientId(name, clients.size() + 1L, 1));
    clients.put(client.id, client);
    return client;
  }

  private void post(ClientId client, ServerId server, boolean toServer, Message message) {
    mail.add(new Letter(client, server, toServer, message, ++posted));
  }

  /** Delivers those letters that lie here now and are meant, in the order of their posting. */
  List<Letter> deliver(Predicate<Letter> which) {
    List<Letter> meant = mail.stream().filter(which).toList();
    mail.removeAll(meant);
    meant.forEach(this::deliver);
    return meant;
  }

  /** Delivers a letter, be it for the first time or again. */
  void deliver(Letter letter) {
    if (!letter.toServer()) {
      Client client = Objects.requireNonNull(clients.get(letter.client()));
      client.step(new Input.Received<>(letter.server(), letter.message()));
    } else if (!away.contains(letter.server())) {
      Server server = servers.get(letter.server().index());
      server.step(new Input.Received<>(letter.client(), letter.message()));
    }
  }

  List<Letter> lose(Predicate<Letter> which) {
    List<Letter> lost = mail.stream().filter(which).toList();
    mail.removeAll(lost);
    return lost;
  }

  /** Lets time pass, without anything happening. */
  void pass(long forNanos) {
    nanos += forNanos;
  }

  /** Delivers all letters and rings all timers for so long. */
  void run(long forNanos) {
    long untilNanos = nanos + forNanos;
    while (nanos < untilNanos) {
      nanos += MILLI;
      deliver(letter -> true);
      servers.forEach(SteppedMachine::ring);
      clients.values().forEach(SteppedMachine::ring);
    }
  }

  /** What clients and servers have in common. */
  abstract class SteppedMachine<P> {
    private final Map<TimerKey, Long> timers = new LinkedHashMap<>();

    abstract List<Effect<P>> steps(Input<P> input);

    abstract void happened(Effect<P> effect);

    void step(Input<P> input) {
      for (Effect<P> effect : steps(input)) {
        if (effect instanceof Effect.SetTimer<P> timer) {
          timers.put(timer.key(), nanos + timer.delayNanos());
        } else if (effect instanceof Effect.CancelTimer<P> timer) {
          timers.remove(timer.key());
        }
        happened(effect);
      }
    }

    void ring() {
      for (Map.Entry<TimerKey, Long> timer : List.copyOf(timers.entrySet())) {
        if (timer.getValue() <= nanos && timers.remove(timer.getKey(), timer.getValue())) {
          step(new Input.TimerFired<>(timer.getKey()));
        }
      }
    }

    void forgetTimers() {
      timers.clear();
    }
  }

  final class Server extends SteppedMachine<ClientId> {
    final ServerId id;
    private SigmaServer machine;
    private int starts;

    Server(ServerId id) {
      this.id = id;
      reset();
    }

    /** It starts anew, with nothing. */
    void reset() {
      forgetTimers();
      Entropy entropy = Entropy.seeded(id.index() * 100L + ++starts);
      machine = new SigmaServer(TIMING, tuning, LockScope.everything(), entropy);
      step(new Input.Started<>(List.of()));
    }

    @Override
    List<Effect<ClientId>> steps(Input<ClientId> input) {
      return machine.step(input, now());
    }

    @Override
    void happened(Effect<ClientId> effect) {
      if (effect instanceof Effect.Send<ClientId> send && !away.contains(id)) {
        post(send.to(), id, false, send.message());
      }
    }

    SigmaLockView view() {
      return machine.view(LOCK).orElseThrow();
    }

    boolean isOwnedBy(Client client) {
      return machine
          .view(LOCK)
          .flatMap(SigmaLockView::owner)
          .filter(owner -> owner.contender().client().equals(client.id))
          .isPresent();
    }

    boolean isUnused() {
      return machine
          .view(LOCK)
          .map(view -> view.owner().isEmpty() && view.queue().isEmpty())
          .orElse(true);
    }
  }

  final class Client extends SteppedMachine<ServerId> {
    final ClientId id;
    final SigmaClient machine;
    final List<Held> entered = new ArrayList<>();
    final List<Object> failures = new ArrayList<>();
    final List<Object> lost = new ArrayList<>();
    long sent;
    private long calls;
    private final Map<Class<?>, Long> sentByType = new HashMap<>();

    Client(ClientId id) {
      this.id = id;
      this.machine = new SigmaClient(thresholds, TIMING, tuning, Entropy.seeded(id.session()));
      step(new Input.Started<>(List.of()));
    }

    @Override
    List<Effect<ServerId>> steps(Input<ServerId> input) {
      return machine.step(input, now());
    }

    @Override
    void happened(Effect<ServerId> effect) {
      if (effect instanceof Effect.Send<ServerId> send) {
        sent++;
        sentByType.merge(send.message().getClass(), 1L, Long::sum);
        post(id, send.to(), true, send.message());
      } else if (effect instanceof Effect.Complete<ServerId> complete
          && complete.result() instanceof Held held) {
        entered.add(held);
        checker.entered(id, SigmaByHand.this, held);
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        failures.add(failure.reason());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        if (tell.event() instanceof LeaseRenewed renewed) {
          checker.renewed(id, renewed.lock(), renewed.token(), renewed.term());
        } else if (tell.event() instanceof LeaseLost loss) {
          lost.add(loss);
          checker.left(id, loss.lock(), loss.token());
        }
      }
    }

    long call(Call<?> call) {
      step(new Input.Called<>(new CallId<>(++calls), call));
      return calls;
    }

    long acquire() {
      return call(Acquire.of(LOCK, 100 * MILLI, Acquire.FOREVER));
    }

    /** Holds as long as it likes: the lease is renewed by itself. */
    long acquireForLong() {
      return call(new Acquire(LOCK, 100 * MILLI, Acquire.FOREVER, 60_000 * MILLI, false));
    }

    void cancel(long call) {
      step(new Input.Cancelled<>(new CallId<>(call)));
    }

    Held last() {
      return entered.get(entered.size() - 1);
    }

    void release() {
      checker.left(id, LOCK, last().token());
      call(new ReleaseCall(LOCK, last().token()));
    }

    boolean holds() {
      return !entered.isEmpty() && checker.knows(id, LOCK, last().token());
    }

    long sent(Class<? extends Message> type) {
      return sentByType.getOrDefault(type, 0L);
    }
  }
}
