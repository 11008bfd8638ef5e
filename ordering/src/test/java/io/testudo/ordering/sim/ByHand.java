package io.testudo.ordering.sim;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.ReadmitObjects;
import io.testudo.ordering.client.Readmitted;
import io.testudo.ordering.client.Readmitter;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster of the least size for one liar, in which nothing happens by itself: the test delivers
 * messages and rings timers. What clients are told, and what correct servers accept, is checked.
 *
 * <p>Servers are named by roles from 0; the last role is the liar's, who says only what the test
 * makes it say. Which server plays which role is shifted by a number, so that no schedule depends
 * on the order in which answers happen to be looked at.
 */
final class ByHand {
  static final String OBJECT = "ledger";
  private static final long MILLI = 1_000_000L;
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  /** Longer than any schedule lasts, unless it is about time. */
  private static final long RUN_MILLIS = 3_600_000;

  private static final OrderTiming TIMING =
      new OrderTiming(
          60 * MILLI, RUN_MILLIS * MILLI, 10_000, 3, 150 * MILLI, 20 * MILLI, 300 * MILLI);
  private static final SecretBytes KEY =
      SecretBytes.copyOf("the key of all clients, not used".getBytes(StandardCharsets.US_ASCII));
  static final OrderSeals SEALS =
      OrderSeals.of("hand", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));

  final Mode mode;
  final Thresholds thresholds;
  final int liar;
  final AgreementChecker agreement;
  final LedgerChecker ledger = new LedgerChecker();
  private final int shift;
  private final List<HandServer> servers = new ArrayList<>();
  long nowMillis;
  private long suspendedMillis;
  private long sessions;
  private long marks;

  ByHand(Mode mode, int shift) {
    this.mode = mode;
    this.shift = shift;
    this.thresholds = mode.need().thresholds(mode.need().leastServers(1), 1);
    this.liar = thresholds.servers() - 1;
    this.agreement = new AgreementChecker(OBJECT, set -> set.size() >= thresholds.quorum() - 1);
    for (int role = 0; role < thresholds.servers(); role++) {
      servers.add(new HandServer(this, role));
    }
  }

  HandServer server(int role) {
    return servers.get(role);
  }

  ServerId id(int role) {
    return new ServerId((role + shift) % thresholds.servers());
  }

  private int role(ServerId server) {
    return Math.floorMod(server.index() - shift, thresholds.servers());
  }

  Moment now() {
    return new Moment(nowMillis * MILLI, EPOCH_MILLIS + suspendedMillis + nowMillis);
  }

  void answers(int role, ClientId to, Message message) {
    agreement.onServerSends(id(role), message);
    Objects.requireNonNull(clients.get(to)).answers.add(new Parcel(role, message));
  }

  /** A time passes in which the monotonic clocks stand still. */
  void suspend() {
    suspendedMillis += RUN_MILLIS;
  }

  /** The clocks of all machines are set, back if that is negative. */
  void setClocks(long millis) {
    suspendedMillis += millis;
  }

  /** All roles but the liar's. */
  int[] correct() {
    int[] roles = new int[liar];
    for (int i = 0; i < liar; i++) {
      roles[i] = i;
    }
    return roles;
  }

  /** A new client; its runs have higher ranks than all that were begun before. */
  Client client() {
    return client(mode == Mode.PLAIN ? OrderSeals.none() : SEALS, false);
  }

  /** A new client without keys: it may read and not order. */
  Client reader() {
    return client(OrderSeals.none(), false);
  }

  /** A new client that lets servers in again. */
  Client administrator() {
    return client(mode == Mode.PLAIN ? OrderSeals.none() : SEALS, true);
  }

  private Client client(OrderSeals seals, boolean readmits) {
    return new Client(new ClientId("c" + sessions, ++sessions, 1), seals, readmits);
  }

  /** A new client with one operation to do, and its first requests under way. */
  Client submitter() {
    Client client = client();
    client.submit();
    return client;
  }

  /** Something under way to or from a server. */
  record Parcel(int role, Message message) {}

  private final Map<ClientId, Client> clients = new HashMap<>();

  /** A client machine in the hands of the test. */
  final class Client {
    final ClientId id;
    final List<Parcel> requests = new ArrayList<>();
    final List<Parcel> delivered = new ArrayList<>();
    final List<Parcel> answers = new ArrayList<>();
    final List<Receipt> receipts = new ArrayList<>();
    final List<Lines> reads = new ArrayList<>();
    final List<Readmitted> readmitted = new ArrayList<>();
    final List<String> made = new ArrayList<>();
    final List<TestudoException> failures = new ArrayList<>();
    final List<Event> told = new ArrayList<>();
    private final Map<TimerKey, Long> timers = new LinkedHashMap<>();
    private final Map<Long, long[]> calls = new HashMap<>();
    private final LedgerModel model;
    private final Machine<ServerId> machine;
    private long lastCall;

    Client(ClientId id, OrderSeals seals, boolean readmits) {
      this.id = id;
      Entropy entropy = Entropy.seeded(id.session());
      this.model = new LedgerModel(entropy.fork(1));
      OrderingClient orderer =
          new OrderingClient(
              thresholds,
              mode,
              TIMING,
              OpId.sessionOf(id.principal(), id.session()),
              seals,
              entropy.fork(2));
      this.machine =
          readmits ? new Readmitter(thresholds, TIMING, entropy.fork(3), orderer) : orderer;
      clients.put(id, this);
      step(new Input.Started<>(List.of()));
    }

    long submit() {
      long mark = ++marks;
      calls.put(lastCall + 1, new long[] {mark, ledger.submits(mark)});
      call(new SubmitOperation(OBJECT, model, LedgerModel.longs(mark), Long.MAX_VALUE / 4));
      return mark;
    }

    /** Does something to another object, which nobody checks. */
    void make(String object) {
      call(new SubmitOperation(object, model, LedgerModel.longs(++marks), Long.MAX_VALUE / 4));
    }

    /** Lets a server in again. */
    void readmit(int role) {
      call(new ReadmitObjects(id(role), 10_000 * MILLI));
    }

    void read() {
      calls.put(lastCall + 1, new long[] {0, ledger.reads()});
      call(new ReadObject(OBJECT, model, Long.MAX_VALUE / 4));
    }

    private void call(Call<?> call) {
      nowMillis += 1_000;
      step(new Input.Called<>(new CallId<>(++lastCall), call));
    }

    private void step(Input<ServerId> input) {
      for (Effect<ServerId> effect : machine.step(input, now())) {
        if (effect instanceof Effect.Send<ServerId> send) {
          agreement.onClientSends(send.message());
          requests.add(new Parcel(role(send.to()), send.message()));
        } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
          timers.put(timer.key(), now().nanos() + timer.delayNanos());
        } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
          timers.remove(timer.key());
        } else if (effect instanceof Effect.Tell<ServerId> tell) {
          told.add(tell.event());
        } else if (effect instanceof Effect.Complete<ServerId> complete) {
          answered(complete.id().number(), complete.result());
        } else if (effect instanceof Effect.Fail<ServerId> failure) {
          failures.add(failure.reason());
        }
      }
    }

    private void answered(long number, Object result) {
      if (result instanceof Readmitted done) {
        readmitted.add(done);
        return;
      }
      long[] call = calls.get(number);
      if (call == null) {
        made.add(result.toString());
      } else if (result instanceof OperationResult done) {
        Receipt receipt = Receipt.decode(done.result());
        ledger.answered(call[0], receipt, call[1]);
        receipts.add(receipt);
      } else if (result instanceof ReadResult read) {
        ledger.read((Lines) read.state(), call[1]);
        reads.add((Lines) read.state());
      }
    }

    /** Delivers the oldest request of a kind to each of these; what they answer is under way. */
    void reach(Class<? extends Message> kind, int... roles) {
      for (int role : roles) {
        Parcel found =
            requests.stream()
                .filter(sent -> sent.role() == role && kind.isInstance(sent.message()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " is under way to " + role));
        requests.remove(found);
        delivered.add(found);
        server(role).hear(id, found.message());
      }
    }

    /** Delivers a request to a server that had it before, or that it was not meant for. */
    void misdirect(Message message, int... roles) {
      for (int role : roles) {
        server(role).hear(id, message);
      }
    }

    /** Delivers all answers of these servers that are under way. */
    void hear(int... roles) {
      for (int role : roles) {
        for (Parcel answer : List.copyOf(answers)) {
          if (answer.role() == role && answers.remove(answer)) {
            hear(role, answer.message());
          }
        }
      }
    }

    /** Hears this from a server, whether that server said it or not. */
    void hear(int role, Message message) {
      step(new Input.Received<>(id(role), message));
    }

    /** A round trip. */
    void ask(Class<? extends Message> kind, int... roles) {
      reach(kind, roles);
      hear(roles);
    }

    /** A round trip in which the liar acknowledges what it did not store. */
    void askWithLiar(Class<? extends Message> kind, int... roles) {
      Message asked = last(kind);
      ask(kind, roles);
      if (asked instanceof Propose propose) {
        hear(liar, accepted(propose.proposal(), Accepted.Stage.PROPOSED));
      } else if (asked instanceof Commit commit) {
        hear(liar, accepted(commit.commit(), Accepted.Stage.COMMITTED));
      } else {
        hear(liar, knowsNothing((Get) asked));
      }
    }

    private Accepted accepted(Statement said, Accepted.Stage stage) {
      return new Accepted(OBJECT, said.rank(), said.state().version(), stage, List.of());
    }

    /** The newest message of a kind that this client sent, delivered or not. */
    <M extends Message> M last(Class<M> kind) {
      List<Parcel> all = new ArrayList<>(delivered);
      all.addAll(requests);
      return all.stream()
          .map(Parcel::message)
          .filter(kind::isInstance)
          .map(kind::cast)
          .reduce((older, newer) -> newer)
          .orElseThrow(() -> new AssertionError("never sent a " + kind));
    }

    /** The newest message of a kind that is under way to a server. */
    <M extends Message> M last(Class<M> kind, int role) {
      return requests.stream()
          .filter(sent -> sent.role() == role && kind.isInstance(sent.message()))
          .map(sent -> kind.cast(sent.message()))
          .reduce((older, newer) -> newer)
          .orElseThrow(() -> new AssertionError("no " + kind + " is under way to " + role));
    }

    boolean hasUnderWay(Class<? extends Message> kind) {
      return requests.stream().anyMatch(sent -> kind.isInstance(sent.message()));
    }

    /** Fetches bodies if it wants any. */
    void fetch(int... roles) {
      for (int role : roles) {
        while (requests.stream()
            .anyMatch(sent -> sent.role() == role && sent.message() instanceof Fetch)) {
          ask(Fetch.class, role);
        }
      }
    }

    /** Everything goes to these servers and back until nothing is under way there. */
    void drive(int... roles) {
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int role : roles) {
          for (Parcel request : List.copyOf(requests)) {
            if (request.role() == role && requests.remove(request)) {
              delivered.add(request);
              server(role).hear(id, request.message());
              moved = true;
            }
          }
        }
        hear(roles);
      }
    }

    /** The same, and time passes, until what was asked for is done or given up. */
    void finish(int... roles) {
      for (int i = 0; i < 100 && readmitted.isEmpty() && failures.isEmpty(); i++) {
        drive(roles);
        passTime();
      }
    }

    /** Submits reach nobody: so nobody else does this client's work. */
    void loseSubmits() {
      requests.removeIf(sent -> sent.message() instanceof Submit);
    }

    /** What is under way is lost. */
    void loseAll() {
      requests.clear();
      answers.clear();
    }

    /** Time passes until it has given its run up, and submits what it wants done. */
    void giveUp() {
      loseAll();
      for (int i = 0; i < 100 && !hasUnderWay(Submit.class); i++) {
        nowMillis += RUN_MILLIS;
        ring();
      }
    }

    /** Time passes until it has given its run up and begun another. */
    void beginAnew() {
      loseAll();
      for (int i = 0; i < 100 && !hasUnderWay(Get.class); i++) {
        requests.clear();
        nowMillis += RUN_MILLIS;
        ring();
      }
    }

    /** Time passes; what is under way stays under way. */
    void passTime() {
      nowMillis += 500;
      ring();
    }

    /** Whoever it finds at work is taken to have gone silent. */
    void giveWayToNobody() {
      nowMillis += 60_000;
    }

    /** Rings the timers that are due. */
    void ring() {
      for (Map.Entry<TimerKey, Long> timer : List.copyOf(timers.entrySet())) {
        if (timer.getValue() <= now().nanos() && timers.remove(timer.getKey(), timer.getValue())) {
          step(new Input.TimerFired<>(timer.getKey()));
        }
      }
    }
  }

  static Report knowsNothing(Get get) {
    return report(get, Optional.empty(), Optional.empty());
  }

  static Report report(
      Get get, Optional<Statement> proposed, Optional<Statement> committed, Entry... entries) {
    return new Report(OBJECT, get.nonce(), proposed, committed, List.of(), List.of(entries));
  }
}
