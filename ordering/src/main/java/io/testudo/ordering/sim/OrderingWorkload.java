package io.testudo.ordering.sim;

import com.google.common.collect.ImmutableSet;
import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.sim.BackoffReadmission;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.OrderTiming;
import io.testudo.ordering.client.OrderingClient;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.ordering.sim.FragileLedger.Task;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.ordering.sim.MarksInOrder.Marks;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.Together;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.Workload;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.history.Linearizability;
import io.testudo.quorum.sim.history.RecordedHistory;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Clients write into one ledger and read it, with nothing that keeps them from ordering at the same
 * time. See {@link LedgerChecker} for what must hold of the answers, and {@link AgreementChecker}
 * for what must hold of proposals; besides, at each correct server ranks, proposals and commits
 * never fall.
 */
final class OrderingWorkload implements Workload {
  private static final long MILLI = 1_000_000L;
  private static final String OBJECT = "ledger";
  private static final OrderTiming TIMING =
      new OrderTiming(60 * MILLI, 400 * MILLI, 10_000, 4, 150 * MILLI, 20 * MILLI, 300 * MILLI);

  /** Runs that wait for long. Safety must not rest on anybody's impatience. */
  private static final OrderTiming PATIENT = TIMING.withBallot(30_000 * MILLI);

  private static final LockTiming LOCK_TIMING =
      new LockTiming(40 * MILLI, 0.05, 60 * MILLI, 300 * MILLI, 12_000);
  private static final long COURTESY_NANOS = 100 * MILLI;
  private static final long CHAOS_TIMEOUT_NANOS = 800 * MILLI;
  private static final long CALM_TIMEOUT_NANOS = 600_000 * MILLI;

  /** Thrice what a client remembers of what one server tells it. */
  private static final long MAX_CLIENT_BYTES = 12 << 20;

  private static final int MAX_CONFIGURATIONS = 500_000;

  private final ScenarioSettings settings;
  private final Thresholds thresholds;
  private final Mode mode;
  private final TurnsBy turns;
  private final LedgerSeals seals;
  private final LedgerChecker checker = new LedgerChecker();
  private final AgreementChecker agreement;
  private final WaitChecker waits = new WaitChecker(TIMING.patienceNanos());
  private final RecordedHistory<Long, Marks> history = new RecordedHistory<>();
  private final Map<ClientId, FragileLedger> ledgers = new HashMap<>();
  private final PromiseChecker promises = new PromiseChecker(OBJECT);
  private final Map<ServerId, Serving> serving = new HashMap<>();
  private final LedgerDeletions deletions = new LedgerDeletions(OBJECT);
  private final DeletingClients deletingClients = new DeletingClients(OBJECT, deletions, history);
  private final GlancingClients glances =
      new GlancingClients(OBJECT, checker, OrderingWorkload::lines);
  private final Map<ServerId, BackoffServer> locks = new HashMap<>();
  private Entropy traps = Entropy.seeded(0);
  private boolean someThrow;
  private boolean takesTurns;
  private boolean arePatient;
  private ServerSet returned = ServerSet.none();
  private ServerSet absent = ServerSet.none();
  private List<Long> longestRead = List.of();
  private long lastMark;

  OrderingWorkload(ScenarioSettings settings, Mode mode, TurnsBy turns) {
    this.settings = settings;
    this.thresholds = settings.thresholds();
    this.mode = mode;
    this.turns = turns;
    this.seals = new LedgerSeals(settings.seals());
    this.agreement = new AgreementChecker(OBJECT, thresholds::isQuorum);
  }

  /**
   * With a lock by which orderers take turns (always where it decides), or with nothing that keeps
   * them apart; with operations that throw, or without.
   */
  @Override
  public void begin(Entropy entropy) {
    takesTurns = entropy.chance(0.5) || turns == TurnsBy.LOCK;
    traps = entropy.fork(1);
    someThrow = traps.chance(0.4);
    deletingClients.begin(entropy.fork(2));
  }

  @Override
  public void expose(ImmutableSet<Hazard> hazards) {
    arePatient = hazards.contains(Hazard.READMISSION) || hazards.contains(Hazard.LONG_SLEEP);
    deletions.expect(hazards.contains(Hazard.DELETES));
    glances.expect(hazards.contains(Hazard.GLANCES) && !deletions.areExpected());
    if (hazards.contains(Hazard.NO_FAULTS)) {
      waits.expectQuiet();
    }
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
    OrderingServer server =
        new OrderingServer(
            mode,
            returned.contains(self) ? Enrolment.RETURNING : Enrolment.FOUNDING,
            new OrderingServer.Settings(COURTESY_NANOS, 1L << 30));
    Machine<ClientId> machine = server;
    if (takesTurns) {
      BackoffServer lock = new BackoffServer(LOCK_TIMING);
      machine = new Together<>(List.of(server, lock));
      locks.put(self, lock);
    }
    serving.put(self, new Serving(machine, server));
    return machine;
  }

  /**
   * The last machine of a server, and which part of it orders. Liars make many, and forget them.
   */
  private record Serving(Machine<ClientId> machine, OrderingServer ordering) {}

  @SuppressWarnings("ReferenceEquality")
  private OrderingServer ordering(ServerId server, Machine<ClientId> machine) {
    Serving last = Objects.requireNonNull(serving.get(server));
    if (last.machine() != machine) {
      throw new IllegalStateException("another machine has taken the place of " + server);
    }
    return last.ordering();
  }

  @Override
  public void onLiars(ServerSet liars) {
    agreement.setLiars(liars);
    liars.forEach(locks::remove);
  }

  @Override
  public boolean readmits() {
    return true;
  }

  @Override
  public void onServerLost(ServerId server) {
    returned = returned.with(server);
    absent = absent.with(server);
    promises.lost(server);
  }

  @Override
  public List<StateRecord> readmitted(ServerId server, Moment now) {
    return takesTurns ? new BackoffProtocol(LOCK_TIMING).readmitted(now.wallMillis()) : List.of();
  }

  @Override
  public Optional<Message> toldByOperator(ServerId server, Machine<ClientId> machine) {
    return BackoffReadmission.word(server, locks, lockThresholds());
  }

  /** It takes part again where clients have brought it up to date. */
  @Override
  public boolean isRestored(ServerId server, Machine<ClientId> machine) {
    return !ordering(server, machine).rank(OBJECT).equals(Rank.NONE);
  }

  /** Ranks are believed without proof if they are not further ahead of a server's clock. */
  @Override
  public long mostAheadMillis() {
    return TIMING.maxSkewMillis() * 4 / 5;
  }

  @Override
  public boolean toleratesFarClocks() {
    return mode != Mode.PLAIN;
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
    ledgers.put(self, new FragileLedger(entropy.fork(2), someThrow));
    OrderSeals own = mode == Mode.PLAIN ? OrderSeals.none() : seals.of(self);
    return new OrderingClient(
        thresholds,
        settings.accessOf(entropy),
        mode,
        arePatient && entropy.fork(4).chance(0.5) ? PATIENT : TIMING,
        OpId.sessionOf(self.principal(), self.session()),
        own,
        entropy,
        takesTurns ? lock(self, own.ofLocks(), entropy.fork(3)) : null,
        turns);
  }

  private Machine<ServerId> lock(ClientId self, RankSeals own, Entropy entropy) {
    return new BackoffClient(
        lockThresholds(), LOCK_TIMING, BackoffTuning.standard(), self.session(), own, entropy);
  }

  private Thresholds lockThresholds() {
    return BackoffProtocol.ALL_SERVERS.thresholds(thresholds.servers(), thresholds.faults());
  }

  @Override
  public Forger forger() {
    return seals.forger();
  }

  @Override
  public void operate(ClientPort port, Runnable done) {
    FragileLedger ledger = ledgers.get(port.self());
    if (ledger == null) {
      throw new IllegalStateException("a client without a ledger");
    }
    if (deletions.areExpected()) {
      deletingClients.watch(port);
    }
    glances.glance(port, ledger, timeout(port.isCalm()));
    if (deletions.areExpected() && port.entropy().chance(0.2)) {
      deletingClients.end(port, ledger.model(), timeout(port.isCalm()), done);
    } else if (port.entropy().chance(0.7)) {
      write(port, ledger, done);
    } else {
      read(port, ledger, done);
    }
  }

  private void write(ClientPort port, FragileLedger ledger, Runnable done) {
    long mark = ++lastMark;
    Task task = someThrow && traps.chance(0.2) ? Task.trapped(mark, traps) : Task.of(mark);
    long answeredBefore = checker.submits(mark);
    long versionBefore = deletions.begins();
    boolean makesMortal = deletions.areExpected() && deletingClients.makesMortal();
    var recorded = history.called(OBJECT, makesMortal ? mark + DeletableMarks.MAKES_MORTAL : mark);
    boolean calm = port.isCalm();
    long begunNanos = port.trueNanos();
    Bytes write = ledger.model().operation(ledger.write(), task);
    port.call(
        new SubmitOperation(
            OBJECT,
            ledger.model(),
            makesMortal ? LifeOperations.create(deletingClients.shortTime(), write) : write,
            timeout(calm)),
        new CallListener<OperationResult>() {
          @Override
          public void completed(OperationResult result) {
            waits.ended(port.trueNanos() - begunNanos);
            Optional<Receipt> receipt = ledger.receipt(OBJECT, task, result.result());
            receipt.ifPresentOrElse(
                given -> {
                  deletions.answered(mark, given, result.version(), versionBefore);
                  if (!deletions.areExpected()) {
                    checker.answered(mark, given, answeredBefore);
                  }
                  recorded.returned(new Marks(given.place(), 0));
                },
                () -> {
                  checker.threw(mark);
                  recorded.didNotHappen();
                });
            done.run();
          }

          @Override
          public void failed(TestudoException reason) {
            onFailure(port, calm, reason, done);
          }
        });
  }

  private void read(ClientPort port, FragileLedger ledger, Runnable done) {
    long answeredBefore = checker.reads();
    long versionBefore = deletions.begins();
    var recorded = history.called(OBJECT, MarksInOrder.READ);
    boolean calm = port.isCalm();
    long begunNanos = port.trueNanos();
    port.call(
        new ReadObject(OBJECT, ledger.model(), timeout(calm)),
        new CallListener<ReadResult>() {
          @Override
          public void completed(ReadResult result) {
            waits.ended(port.trueNanos() - begunNanos);
            Lines lines = lines(result);
            deletions.read(lines, result.version(), versionBefore);
            List<Long> marks = lines.lines().stream().map(LedgerModel.Line::mark).toList();
            if (!deletions.areExpected()) {
              checker.read(lines, answeredBefore);
            }
            recorded.returned(Marks.of(marks));
            longestRead = marks.size() > longestRead.size() ? marks : longestRead;
            done.run();
          }

          @Override
          public void failed(TestudoException reason) {
            recorded.didNotHappen();
            onFailure(port, calm, reason, done);
          }
        });
  }

  private static Lines lines(ReadResult result) {
    if (result.state() instanceof HeldState.Legible<?> held
        && held.state() instanceof Lines lines) {
      return lines;
    }
    throw Violation.safety("what was read is no ledger: " + result.state());
  }

  private static long timeout(boolean calm) {
    return calm ? CALM_TIMEOUT_NANOS : CHAOS_TIMEOUT_NANOS;
  }

  static void onFailure(ClientPort port, boolean calm, TestudoException reason, Runnable done) {
    if (calm) {
      throw Violation.liveness("all is well, and an operation fails: " + reason.getMessage());
    }
    port.note("failed: " + reason.getMessage());
    done.run();
  }

  /** What one liar can make it keep: what it tells of operations, with and without those before. */
  @Override
  public long maxClientBytes() {
    return MAX_CLIENT_BYTES;
  }

  @Override
  public int closingOperations() {
    return 3;
  }

  @Override
  public boolean wouldCount(Machine<ServerId> client, ServerId from, Message message) {
    return client instanceof OrderingClient ordering
        && message instanceof Report report
        && ordering.awaits(from, report.object(), report.nonce());
  }

  @Override
  public boolean wouldHeed(Machine<ServerId> client, ServerId from, Message message) {
    return wouldCount(client, from, message)
        || (client instanceof OrderingClient ordering && ordering.heeds(from, message));
  }

  @Override
  public void afterServerStep(ServerId server, long starts, Machine<ClientId> machine) {
    OrderingServer ordering = ordering(server, machine);
    ordering.listed(OBJECT).ifPresent(deletions::shows);
    ServerSighting now =
        new ServerSighting(
            starts, ordering.rank(OBJECT), ordering.proposed(OBJECT), ordering.committed(OBJECT));
    ServerSighting before = promises.sees(server, now);
    if (absent.contains(server) && !now.rank().equals(Rank.NONE)) {
      absent = absent.without(server);
      agreement.restored(server, now.rank());
    }
    if (before == null || !before.committed().equals(now.committed())) {
      now.committed().ifPresent(agreement::committed);
    }
    promises.check(server, before, now);
  }

  @Override
  public void onServerSends(ServerId server, long life, ClientId to, Message message) {
    agreement.onServerSends(server, message);
    promises.onServerSends(server, message);
  }

  @Override
  public void afterClientStep(
      ClientId client, Machine<ServerId> machine, List<Effect<ServerId>> effects) {
    Message last = null;
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send && send.message() != last) {
        last = send.message();
        agreement.onClientSends(last);
      } else if (effect instanceof Effect.Complete<ServerId> complete
          && complete.result() instanceof OperationResult result) {
        agreement.told(result.id(), result.version(), result.result());
      }
    }
    // Seldom seen otherwise: most of the time somebody else's message helps in the end.
    if (machine instanceof OrderingClient ordering && ordering.waitsInVain()) {
      throw Violation.liveness(client + " has work, and nothing would make it go on");
    }
  }

  /** A second opinion on what the applications saw, by a search that knows nothing of places. */
  @Override
  public void atEnd() {
    if (deletions.areExpected()) {
      deletions.atEnd(history, MAX_CONFIGURATIONS);
      return;
    }
    Linearizability.Result result =
        Linearizability.check(new MarksInOrder(longestRead), history, MAX_CONFIGURATIONS);
    // An order that exists is found at once; if the search has to be given up, there is hardly one.
    if (!result.isLinearizable()) {
      throw Violation.safety("no order explains the answers: " + result.explanation());
    }
  }
}
