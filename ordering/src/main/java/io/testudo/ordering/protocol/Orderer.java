package io.testudo.ordering.protocol;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.protocol.Accepted.Stage;
import io.testudo.ordering.protocol.Run.Phase;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client half that orders: it learns from a quorum from which state to go on,
 * applies what is pending, and has a quorum store the result.
 */
abstract class Orderer extends ClientBase {
  private static final int MAX_EXPONENT = 6;

  private record Tick(String object) implements TimerKey {}

  private final RankClock clock = new RankClock();
  private final Horizon horizon;

  Orderer(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy) {
    super(thresholds, mode, timing, session, seals, entropy);
    this.horizon = new Horizon(clock, seals, timing.maxSkewMillis(), thresholds);
    onMessage(Accepted.class, this::onAccepted);
    onMessage(Superseded.class, this::onSuperseded);
    onMessage(Missing.class, this::onMissing);
    onTimer(Tick.class, this::onTick);
  }

  /** Begins what can be begun now. */
  final void goOn(ClientObject<?> object) {
    Run run = object.run;
    if (run == null) {
      if (object.hasOwnWork() && !object.sleeps) {
        begin(object);
      }
    } else if (run.phase == Phase.WARM) {
      if (object.hasOwnWork() || object.hasForeignWork()) {
        proposeNext(object, run);
      } else {
        publish(object);
      }
    }
  }

  private void begin(ClientObject<?> object) {
    Rank rank = new Rank(clock.next(now(), entropy), session);
    Optional<Seal> seal =
        mode.sealsRanks() ? seals.seal(object.name, rank.time(), session) : Optional.empty();
    object.run = new Run(rank, seal, entropy.nextLong(), now().nanos());
    sendPhase(object, object.run, everyone);
    setTimer(new Tick(object.name), timing.retryNanos());
  }

  /** Sends what the present phase asks of servers. */
  private void sendPhase(ClientObject<?> object, Run run, ServerSet servers) {
    switch (run.phase) {
      case GETTING -> {
        ServerId informant = pick(servers);
        for (ServerId server : servers) {
          Optional<StateId> known =
              server.equals(informant) ? Optional.of(object.tipState()) : Optional.empty();
          send(server, new Get(object.name, run.nonce, run.rank, run.rankSeal, known));
        }
      }
      case FETCHING -> {
        sendAll(servers, object.fetch(wantedBy(run)));
      }
      case PROPOSING -> {
        Statement proposal = run.statement();
        List<Entry> entries =
            object.history.path(object.chosenState(), proposal.state()).orElse(List.of());
        Optional<Statement> commit =
            object.isPublished ? Optional.empty() : Optional.ofNullable(object.lastCommit);
        sendAll(servers, new Propose(object.name, proposal, run.rankSeal, entries, commit));
      }
      case COMMITTING -> sendAll(servers, new Commit(object.name, run.statement(), run.rankSeal));
      case WARM -> {}
    }
  }

  final void onReport(ServerId from, Report report) {
    ClientObject<?> object = objects.get(report.object());
    Run run = object == null ? null : object.run;
    if (object == null || run == null || run.nonce != report.nonce()) {
      return;
    }
    report.entries().forEach(object.history::add);
    hearPending(object, from, report.pending());
    if (run.phase != Phase.GETTING || run.reports.containsKey(from)) {
      return;
    }
    if (!isPlausible(object, report)) {
      tell(new Suspicion(from, "shows a statement with a forged seal"));
      return;
    }
    run.reports.put(from, report);
    if (mode.sealsStatements()) {
      // What it reports counts when it can be had: else a liar could show us what nobody has.
      report
          .proposed()
          .map(Statement::state)
          .filter(state -> !object.history.holds(state))
          .ifPresent(state -> send(from, object.fetch(state)));
    }
    decideIfEnough(object, run);
  }

  private void decideIfEnough(ClientObject<?> object, Run run) {
    List<Choice.Told> told =
        run.reports.values().stream()
            .filter(report -> counts(object, report))
            .map(report -> new Choice.Told(report.proposed(), report.committed()))
            .toList();
    if (told.size() < thresholds.quorum()) {
      return;
    }
    Optional<Choice> choice = Choice.of(mode, thresholds, told);
    if (choice.isEmpty()) {
      giveUp(object); // The servers contradict themselves; others may not.
      return;
    }
    run.choice = choice.get();
    proceedFromChoice(object, run);
  }

  private boolean counts(ClientObject<?> object, Report report) {
    return !mode.sealsStatements()
        || report.proposed().map(said -> object.history.holds(said.state())).orElse(true);
  }

  /** Goes on from the chosen state as soon as its bodies are here. */
  private void proceedFromChoice(ClientObject<?> object, Run run) {
    Choice choice = Objects.requireNonNull(run.choice);
    StateId from = choice.from().orElse(StateId.genesis(object.name));
    if (from.version() < object.chosenState().version()) {
      giveUp(object); // What was chosen before is gone: more servers lie than are borne.
      return;
    }
    if (!object.moveTip(from)) {
      run.enter(Phase.FETCHING, now().nanos());
      sendPhase(object, run, everyone);
      return;
    }
    if (choice.mustComplete()) {
      run.isCompletion = true;
      propose(object, run, from);
    } else {
      if (!mode.sealsStatements()) {
        object.tipWasChosen(); // It is committed at enough servers.
      }
      proposeNext(object, run);
    }
  }

  /** Extends the tip by what is to be done, or confirms it if somebody waits for that. */
  private void proposeNext(ClientObject<?> object, Run run) {
    Optional<Entry> entry = object.extendTip();
    run.isCompletion = false;
    if (entry.isPresent()) {
      propose(object, run, entry.get().state());
    } else if (run.phase != Phase.WARM && mode.sealsStatements() && object.tipConcernsUs()) {
      propose(object, run, object.tipState());
    } else if (run.phase != Phase.WARM && !mode.sealsStatements()) {
      run.enter(Phase.WARM, now().nanos());
      object.tipWasChosen();
      finish(object, object.readers);
    } else if (object.hasOwnWork() && run.phase == Phase.WARM) {
      confirmWarm(object, run);
    } else {
      endRun(object);
    }
  }

  /** Somebody reads, and we are warm: that nobody came between has to be shown by a quorum. */
  private void confirmWarm(ClientObject<?> object, Run run) {
    run.isCompletion = true;
    propose(object, run, object.tipState());
  }

  private void propose(ClientObject<?> object, Run run, StateId state) {
    run.statement =
        mode.sealsStatements()
            ? seals.seal(SealKind.PROPOSE, object.name, run.rank, state)
            : new Statement(run.rank, state, Optional.empty());
    run.enter(Phase.PROPOSING, now().nanos());
    run.readers.addAll(object.readers);
    object.readers.clear();
    sendPhase(object, run, everyone);
    setTimer(new Tick(object.name), timing.retryNanos());
  }

  final void onBodies(ServerId from, Bodies bodies) {
    ClientObject<?> object = objects.get(bodies.object());
    if (object == null) {
      return;
    }
    if (!object.learn(bodies)) {
      tell(new Suspicion(from, "sends a state that is not what it is called"));
      return;
    }
    Run run = object.run;
    if (run != null && run.phase == Phase.GETTING) {
      decideIfEnough(object, run);
    } else if (run != null && run.phase == Phase.FETCHING && object.moveTip(wantedBy(run))) {
      proceedFromChoice(object, run);
    }
  }

  private static StateId wantedBy(Run run) {
    return Objects.requireNonNull(run.choice).from().orElseThrow();
  }

  private void onAccepted(ServerId from, Accepted accepted) {
    ClientObject<?> object = objects.get(accepted.object());
    Run run = object == null ? null : object.run;
    if (object == null || run == null || !run.rank.equals(accepted.rank())) {
      return;
    }
    hearPending(object, from, accepted.pending());
    Phase expected = accepted.stage() == Stage.PROPOSED ? Phase.PROPOSING : Phase.COMMITTING;
    if (run.phase != expected || run.statement().state().version() != accepted.version()) {
      return;
    }
    run.accepted = run.accepted.with(from);
    if (run.accepted.size() < thresholds.quorum()) {
      return;
    }
    if (run.phase == Phase.PROPOSING && !mode.sealsStatements()) {
      run.enter(Phase.COMMITTING, now().nanos());
      sendPhase(object, run, everyone);
      setTimer(new Tick(object.name), timing.retryNanos());
    } else {
      chosen(object, run);
    }
  }

  /** What was proposed is chosen; where statements are not sealed it is committed, too. */
  private void chosen(ClientObject<?> object, Run run) {
    object.failures = 0;
    object.tipWasChosen();
    StateId state = run.statement().state();
    object.lastCommit =
        mode.sealsStatements()
            ? seals.seal(SealKind.COMMIT, object.name, run.rank, state)
            : run.statement();
    object.isPublished = !mode.sealsStatements();
    object.takeBase().ifPresent(base -> sendAll(everyone, new Rebase(object.name, base)));
    run.enter(Phase.WARM, now().nanos());
    finish(object, run.readers);
    if (!run.refused.isEmpty()) {
      publish(object);
      endRun(object);
    }
    goOn(object);
  }

  /** Tells servers what was chosen, so that submitters hear of it. */
  private void publish(ClientObject<?> object) {
    Run run = object.run;
    if (!object.isPublished && object.lastCommit != null && run != null) {
      sendAll(everyone, new Commit(object.name, object.lastCommit, run.rankSeal));
      object.isPublished = true;
    }
  }

  private void onSuperseded(ServerId from, Superseded refusal) {
    ClientObject<?> object = objects.get(refusal.object());
    Run run = object == null ? null : object.run;
    if (object == null
        || run == null
        || !run.rank.equals(refusal.asked())
        || !run.rank.isBelow(refusal.rank())) {
      return;
    }
    SealedRank higher =
        new SealedRank(refusal.rank().time(), refusal.rank().session(), refusal.seal());
    if (mode.sealsRanks() && seals.check(object.name, higher) != RankSeals.Verdict.VALID) {
      tell(new Suspicion(from, "refuses by a rank that nobody sealed"));
      return;
    }
    var unused = horizon.hear(from, object.name, higher, now());
    run.refused = run.refused.with(from);
    boolean isOver = run.refused.size() >= thresholds.blocking();
    boolean isColdAgain =
        run.phase == Phase.WARM && run.refused.size() >= thresholds.refusalsToGiveUp();
    if (isOver || isColdAgain) {
      giveUp(object);
    }
  }

  private void onMissing(ServerId from, Missing missing) {
    ClientObject<?> object = objects.get(missing.object());
    Run run = object == null ? null : object.run;
    if (object == null
        || run == null
        || run.statement == null
        || !run.rank.equals(missing.rank())
        || !run.statement.state().equals(missing.wanted())
        || run.helped.contains(from)) {
      return;
    }
    run.helped = run.helped.with(from);
    StateId wanted = missing.wanted();
    Optional<List<Entry>> fromTheirs = object.history.path(missing.newest(), wanted);
    if (fromTheirs.isEmpty()) {
      object.history.base().ifPresent(base -> send(from, new Rebase(object.name, base)));
    }
    List<Entry> entries =
        fromTheirs.or(() -> object.history.path(object.history.start(), wanted)).orElse(List.of());
    if (run.phase == Phase.PROPOSING) {
      send(from, new Propose(object.name, run.statement, run.rankSeal, entries, Optional.empty()));
    } else if (run.phase == Phase.COMMITTING) {
      Statement proposal = new Statement(run.rank, wanted, Optional.empty());
      send(from, new Propose(object.name, proposal, run.rankSeal, entries, Optional.empty()));
      send(from, new Commit(object.name, run.statement, run.rankSeal));
    }
  }

  private void onTick(Tick tick) {
    ClientObject<?> object = objects.get(tick.object());
    if (object == null) {
      return;
    }
    if (object.sleeps) {
      object.sleeps = false;
      goOn(object);
      return;
    }
    Run run = object.run;
    if (run == null || run.phase == Phase.WARM) {
      return;
    }
    if (now().nanos() - run.begunNanos >= timing.runNanos()) {
      giveUp(object);
      return;
    }
    ServerSet heard =
        switch (run.phase) {
          case GETTING -> answeredGet(object, run);
          case PROPOSING, COMMITTING -> run.accepted;
          case FETCHING, WARM -> ServerSet.none();
        };
    run.helped = ServerSet.none();
    sendPhase(object, run, everyone.minus(heard));
    setTimer(tick, timing.retryNanos());
  }

  private ServerSet answeredGet(ClientObject<?> object, Run run) {
    ServerSet answered = ServerSet.none();
    for (Map.Entry<ServerId, Report> report : run.reports.entrySet()) {
      if (counts(object, report.getValue())) {
        answered = answered.with(report.getKey());
      } else {
        StateId wanted = report.getValue().proposed().orElseThrow().state();
        send(report.getKey(), object.fetch(wanted));
        answered = answered.with(report.getKey());
      }
    }
    return answered.equals(everyone) ? ServerSet.none() : answered;
  }

  /** Ends a run that gets no further, and tries again later with a fresh rank. */
  private void giveUp(ClientObject<?> object) {
    publish(object);
    endRun(object);
    object.failures++;
    long boundNanos = timing.retryNanos() << Math.min(object.failures, MAX_EXPONENT);
    object.sleeps = true;
    setTimer(new Tick(object.name), 1 + entropy.nextLong(boundNanos));
    for (OwnOperation mine : object.own.values()) {
      sendAll(everyone, new Submit(object.name, mine.operation));
    }
  }

  private void endRun(ClientObject<?> object) {
    if (object.run != null) {
      object.readers.addAll(object.run.readers);
    }
    object.run = null;
    object.forgetBase();
    cancelTimer(new Tick(object.name));
  }

  /** Whether a report of this server would be counted now. */
  public final boolean awaits(ServerId from, String name, long nonce) {
    ClientObject<?> object = objects.get(name);
    @Nullable Run run = object == null ? null : object.run;
    return run != null
        && run.phase == Phase.GETTING
        && run.nonce == nonce
        && !run.reports.containsKey(from);
  }
}
