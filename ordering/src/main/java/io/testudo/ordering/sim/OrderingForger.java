package io.testudo.ordering.sim;

import io.testudo.crypto.Digest;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.ordering.client.ObjectModel;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.ordering.message.WatchObject;
import io.testudo.ordering.sim.FragileLedger.Task;
import io.testudo.ordering.sim.LedgerModel.Lines;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What a liar can say of an object. */
public final class OrderingForger implements Forger {
  private static final long TOPIC_LINE = 1;
  private static final long LATER_NANOS = 1_000_000_000;

  /** Long before any clock shows. */
  private static final long LATEST_EPOCH = 1L << 40;

  private final @Nullable LongFunction<OrderSeals> stolen;

  public OrderingForger() {
    this.stolen = null;
  }

  /**
   * Of liars that can seal.
   *
   * @param stolen the seals of a client in any session that they like
   */
  OrderingForger(LongFunction<OrderSeals> stolen) {
    this.stolen = stolen;
  }

  /** What an operation that nobody submitted would have done. */
  private static ObjectModel.Change<HeldState<Lines>> invented(long seed) {
    FragileLedger ledger = new FragileLedger(Entropy.seeded(seed), false);
    return ledger.model().apply(ledger.model().initial(), ghost());
  }

  private static Bytes ghost() {
    FragileLedger ledger = new FragileLedger(Entropy.seeded(1), false);
    return ledger.model().operation(ledger.write(), Task.of(666));
  }

  /** One that nobody submitted. */
  static SubmittedOperation ghostOperation() {
    return new SubmittedOperation(new OpId(99, 1), 0, ghost(), Optional.empty());
  }

  /** Which object a message to a server is about. */
  static String objectOf(Message message) {
    if (message instanceof Submit submit) {
      return submit.object();
    }
    if (message instanceof WatchObject watch) {
      return watch.object();
    }
    return message instanceof Get get
        ? get.object()
        : message instanceof Propose propose ? propose.object() : "";
  }

  private static Bytes inventedSnapshot() {
    Bytes state = new FragileLedger(Entropy.seeded(1), false).model().encode(invented(13).after());
    return SnapshotBody.of(state).toBytes();
  }

  @Override
  public List<OutgoingMessage> forge(ByzantineKind kind, HonestStep step, StrategyContext context) {
    List<OutgoingMessage> said = new ArrayList<>();
    switch (kind) {
      case ALWAYS_FREE -> acceptAnything(step, said);
      case ALWAYS_LOCKED -> refuse(step, context, said);
      case INVENT -> answerEarly(step, context, said);
      default -> {}
    }
    said.addAll(TenureLies.of(kind, step, context));
    said.addAll(HintLies.of(kind, step, context));
    for (OutgoingMessage meant : step.meant()) {
      if (TenureLies.withholds(kind, meant.message())) {
        continue;
      }
      said.add(distorted(kind, meant.message(), context).map(meant::saying).orElse(meant));
      if (kind == ByzantineKind.ALWAYS_FREE && meant.message() instanceof Relayed) {
        said.add(meant); // Twice.
      }
    }
    return stolen == null ? said : StolenSeals.inTheNameOfOthers(stolen, step, said, context);
  }

  /** Says that it stored what it did not even look at, and relays what nobody submitted. */
  private static void acceptAnything(HonestStep step, List<OutgoingMessage> said) {
    if (!(step.cause() instanceof Input.Received<ClientId> received)) {
      return;
    }
    if (received.message() instanceof WatchObject watch) {
      said.add(
          new OutgoingMessage(received.from(), new Changed(watch.object(), watch.known() + 1), 0));
    }
    if (received.message() instanceof Propose propose) {
      said.add(
          new OutgoingMessage(
              received.from(),
              new Relayed(propose.object(), propose.proposal().rank(), List.of(ghostOperation())),
              0));
    }
    if (received.message() instanceof Propose propose) {
      said.add(accepted(received.from(), propose.object(), propose.proposal(), Stage.PROPOSED));
    } else if (received.message() instanceof Commit commit) {
      said.add(accepted(received.from(), commit.object(), commit.commit(), Stage.COMMITTED));
    }
  }

  private static OutgoingMessage accepted(ClientId to, String object, Statement what, Stage stage) {
    return new OutgoingMessage(
        to, new Accepted(object, what.rank(), what.state().version(), stage, List.of()), 0);
  }

  /**
   * Refuses by a rank that nobody has, says that another is at work, that nobody is, and no room.
   */
  private static void refuse(HonestStep step, StrategyContext context, List<OutgoingMessage> said) {
    if (step.cause() instanceof Input.Received<ClientId> received
        && received.message() instanceof Get get
        && !get.rank().equals(Rank.NONE)) {
      Rank wild = new Rank(get.rank().time() + 1 + context.entropy().nextLong(1L << 40), 1);
      said.add(
          new OutgoingMessage(
              received.from(), new Superseded(get.object(), get.rank(), wild, get.seal()), 0));
      said.add(new OutgoingMessage(received.from(), new Busy(get.object(), get.rank(), wild), 0));
      Busy full = new Busy(get.object(), get.rank(), Busy.Lack.BYTES);
      said.add(new OutgoingMessage(received.from(), full, 0));
      said.add(new OutgoingMessage(received.from(), new Unattended(get.object()), 0));
    }
  }

  /** Answers an operation that was never done. */
  private static void answerEarly(
      HonestStep step, StrategyContext context, List<OutgoingMessage> said) {
    if (step.cause() instanceof Input.Received<ClientId> received
        && received.message() instanceof Submit submit) {
      long seed = context.agreed(TOPIC_LINE, 3);
      TypedModel<Lines> model = new FragileLedger(Entropy.seeded(seed), false).model();
      HeldState<Lines> state = seed == 0 ? model.initial() : invented(seed).after();
      Bytes body = submit.operation().body();
      Bytes result = model.canApply(state, body, 0) ? model.apply(state, body).result() : body;
      said.add(
          new OutgoingMessage(
              received.from(),
              new Expired(
                  submit.object(), submit.operation().id(), context.entropy().nextLong(1L << 62)),
              0));
      said.add(
          new OutgoingMessage(
              received.from(),
              new Answered(submit.object(), submit.operation().id(), 1, Optional.of(result)),
              0));
      StateId invented = inventedEntry(submit.object(), context).state();
      Rank rank = new Rank(1 + context.agreed(TOPIC_LINE, 3), 1); // The same for all who lie.
      said.add(
          new OutgoingMessage(
              received.from(),
              new Included(submit.object(), submit.operation().id(), rank, invented, result),
              0));
    }
  }

  private static Optional<Message> distorted(
      ByzantineKind kind, Message honest, StrategyContext context) {
    if (honest instanceof Report report) {
      return distorted(kind, report, context);
    }
    if (honest instanceof Superseded refusal && kind == ByzantineKind.WILD_NUMBER) {
      Rank wild = new Rank(RankClock.MAX_TIME, refusal.rank().session());
      return Optional.of(new Superseded(refusal.object(), refusal.asked(), wild, refusal.seal()));
    }
    if (honest instanceof Bodies bodies) {
      return distorted(kind, bodies);
    }
    if (honest instanceof Included said) {
      return TenureLies.distorted(kind, said, context);
    }
    if (honest instanceof Changed said && kind == ByzantineKind.WILD_NUMBER) {
      return Optional.of(new Changed(said.object(), Long.MAX_VALUE));
    }
    if (honest instanceof Accepted said) {
      return TenureLies.distorted(kind, said);
    }
    return Optional.empty();
  }

  private static Optional<Message> distorted(
      ByzantineKind kind, Report report, StrategyContext context) {
    Entry invented = inventedEntry(report.object(), context);
    return switch (kind) {
      case WILD_NUMBER ->
          report
              .proposed()
              .map(
                  said ->
                      with(
                          withALoss(report, context),
                          Optional.of(
                              new Statement(
                                  new Rank(RankClock.MAX_TIME, 1), said.state(), said.seal())),
                          report.committed(),
                          List.of()));
      case INVENT ->
          Optional.of(
              with(
                  report,
                  Optional.of(
                      new Statement(
                          new Rank(RankClock.MAX_TIME - 1, 7),
                          invented.state(),
                          report.proposed().flatMap(Statement::seal))),
                  report.committed(),
                  List.of(invented)));
      case EARLY_COMMIT ->
          Optional.of(with(report, report.proposed(), report.proposed(), List.of()));
      default -> Optional.empty();
    };
  }

  /** A past with a hole in it, or that begins elsewhere, or was committed later than it was. */
  private static Optional<Message> distorted(ByzantineKind kind, Bodies bodies) {
    int entries = bodies.entries().size();
    return switch (kind) {
      case WILD_NUMBER ->
          Optional.of(
              new Bodies(
                  bodies.object(),
                  bodies.wanted(),
                  bodies.isFirst(),
                  bodies.snapshot(),
                  bodies.entries().subList(entries > 1 ? 1 : 0, entries)));
      case INVENT ->
          Optional.of(
              new Bodies(
                  bodies.object(),
                  bodies.wanted(),
                  bodies.isFirst(),
                  bodies
                      .snapshot()
                      .map(snapshot -> new LogSnapshot(snapshot.commit(), inventedSnapshot())),
                  bodies.entries()));
      case EARLY_COMMIT ->
          Optional.of(
              new Bodies(
                  bodies.object(),
                  bodies.wanted(),
                  bodies.isFirst(),
                  bodies
                      .snapshot()
                      .map(snapshot -> new LogSnapshot(later(snapshot.commit()), snapshot.body())),
                  bodies.entries()));
      default -> Optional.empty();
    };
  }

  /** The same at a rank above those of the ballots that followed, and not yet out of range. */
  private static Statement later(Statement commit) {
    Rank rank = new Rank(commit.rank().time() + LATER_NANOS, commit.rank().session());
    return new Statement(rank, commit.state(), commit.seal());
  }

  /** Says that a server has lost its memory that may never have. */
  private static Report withALoss(Report report, StrategyContext context) {
    List<MemoryEpoch> others = new ArrayList<>(report.others());
    ServerId victim = new ServerId(context.entropy().nextInt(context.servers()));
    others.removeIf(known -> known.server().equals(victim));
    others.add(new MemoryEpoch(victim, 2 + context.entropy().nextLong(LATEST_EPOCH)));
    return report.withOthers(others);
  }

  private static Report with(
      Report report,
      Optional<Statement> proposed,
      Optional<Statement> committed,
      List<Entry> entries) {
    List<SubmittedOperation> pending = new ArrayList<>(report.pending());
    pending.add(ghostOperation());
    return new Report(
        report.object(),
        report.nonce(),
        proposed,
        committed,
        pending,
        entries,
        report.epoch(),
        report.others());
  }

  static Entry inventedEntry(String object, StrategyContext context) {
    Bytes effect = invented(context.agreed(TOPIC_LINE, 5)).effect();
    EntryBody.Done done = new EntryBody.Done(99, 1, 0, Bytes.EMPTY, effect);
    Digest parent = StateId.genesis(object).link();
    return new Entry(1, parent, EntryBody.of(done).toBytes());
  }
}
