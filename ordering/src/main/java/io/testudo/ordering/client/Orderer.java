package io.testudo.ordering.client;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.client.Run.Phase;
import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Rebase;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of the client half that orders: it learns from a quorum from which state to go on,
 * applies what is pending, and has a quorum store the result.
 */
final class Orderer extends Part<ServerId> {
  /** Whoever was about to come back has come. */
  private record Gathered(String object) implements TimerKey {}

  private final RankClock clock = new RankClock();
  private final Horizon horizon;

  private final ClientCore core;
  private final TurnTaker turns;
  private final RunSender sender;

  Orderer(ClientCore core, TurnTaker turns, RunSender sender) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.sender = sender;
    this.horizon = new Horizon(clock, core.seals, core.timing.maxSkewMillis(), core.thresholds);
    onMessage(Accepted.class, this::onAccepted);
    onMessage(Superseded.class, this::onSuperseded);
    onTimer(RunSender.Tick.class, this::onTick);
    onTimer(Gathered.class, this::onGathered);
  }

  void goOn(ClientObject<?> object) {
    Run run = object.run;
    if (run == null) {
      if (!object.hasOwnWork()) {
        turns.endTurn(object);
      } else if (!turns.mayOrder(object) && !object.turn.follows) {
        turns.follow(object); // Whoever may order does what we want done.
      } else if (turns.mayOrder(object) && !object.turn.waits()) {
        begin(object);
      }
    } else if (run.phase == Phase.WARM) {
      if (object.hasOwnWork() || object.hasForeignWork()) {
        gather(object, run);
      } else {
        rest(object, run);
      }
    }
  }

  /**
   * Proposes what is to be done. If there were several callers the last time and the first of them
   * is back, the others are about to come: a moment of waiting saves a round trip.
   */
  private void gather(ClientObject<?> object, Run run) {
    int waiting = object.work.own().size();
    if (waiting == 0 || waiting >= run.batch) {
      proposeNext(object, run);
    } else if (!run.gathers) {
      run.gathers = true;
      setTimer(new Gathered(object.name), 0);
    }
  }

  private void onGathered(Gathered gathered) {
    ClientObject<?> object = core.objects.get(gathered.object());
    Run run = object == null ? null : object.run;
    if (object != null && run != null && run.gathers) {
      run.gathers = false;
      if (run.phase == Phase.WARM) {
        proposeNext(object, run);
      }
    }
  }

  private void begin(ClientObject<?> object) {
    Rank rank = new Rank(clock.next(object.name, now(), core.entropy), core.session);
    Optional<Seal> seal =
        core.mode.sealsRanks()
            ? core.seals.seal(object.name, rank.time(), core.session)
            : Optional.empty();
    boolean courteous = object.turn.isCourteous();
    object.run = new Run(rank, seal, core.entropy.nextLong(), courteous, now());
    object.run.takeReaders(object);
    sender.sendPhase(object, object.run, core.everyone);
    setTimer(new RunSender.Tick(object.name), core.timing.retryNanos());
  }

  void onReport(ServerId from, Report report) {
    ClientObject<?> object = core.objects.get(report.object());
    Run run = object == null ? null : object.run;
    if (object == null || run == null || sender.hasNoted(from, object, run, report)) {
      return;
    }
    boolean confirms = run.phase == Phase.CONFIRMING && run.confirmation == report.nonce();
    // A server reports once to a question, or a liar could fill our memory.
    if ((!confirms && !run.tally.awaits(from, report.nonce())) || endIfOverdue(object, run)) {
      return;
    }
    core.hearPending(object, from, report.pending());
    if (confirms) {
      if (!run.tally.remembers(from, report.epoch())) {
        return;
      }
      run.accepted = run.accepted.with(from);
      if (run.accepted.size() >= core.thresholds.quorum()) {
        run.enter(Phase.WARM, now());
        core.finish(object, run.readers);
        goOn(object);
      }
      return;
    }
    if (!core.isPlausible(object, from, report)) {
      tell(new Suspicion(from, "shows a statement with a forged seal"));
      return;
    }
    ServerSet isVoid = run.tally.take(from, report, run.phase != Phase.GETTING);
    for (ServerId server : isVoid) {
      run.tally.askAgain(server, core.entropy.nextLong());
      send(server, run.get(object.name, server, Optional.empty()));
    }
    if (run.phase != Phase.GETTING && run.phase != Phase.FETCHING) {
      return;
    }
    report.entries().forEach(object.history::add);
    if (run.phase == Phase.FETCHING) {
      proceedIfFetched(object, run);
      return;
    }
    decideIfEnough(object, run);
    if (run.phase == Phase.GETTING
        && !isVoid.contains(from)
        && !run.counts(core.mode, object.history, report)) {
      // What it reports counts when it can be had: else a liar could show us what nobody has.
      send(from, object.fetch(report.proposed().orElseThrow().state()));
    }
  }

  /** A run that was suspended is not resumed: who knows what happened meanwhile. */
  private boolean endIfOverdue(ClientObject<?> object, Run run) {
    if (!run.isOverdue(now(), core.timing.runNanos())) {
      return false;
    }
    giveUp(object, false);
    return true;
  }

  private void decideIfEnough(ClientObject<?> object, Run run) {
    List<Choice.Told> told = run.told(core.mode, object.history);
    if (told.size() < core.thresholds.quorum()) {
      return;
    }
    Optional<Choice> choice = Choice.of(core.mode, core.thresholds, told);
    if (choice.isEmpty()) {
      giveUp(object, false); // The servers contradict themselves; others may not.
      return;
    }
    run.choice = choice.get();
    proceedFromChoice(object, run);
  }

  /** Goes on from the chosen state as soon as its bodies are here. */
  private void proceedFromChoice(ClientObject<?> object, Run run) {
    Choice choice = Objects.requireNonNull(run.choice);
    StateId from = choice.from().orElse(StateId.genesis(object.name));
    if (from.version() < object.chosenState().version()) {
      giveUp(object, false); // What was chosen is gone: more servers lie than are borne.
      return;
    }
    if (!object.moveTip(from)) {
      run.enter(Phase.FETCHING, now());
      sender.sendPhase(object, run, core.everyone);
      return;
    }
    if (choice.mustComplete()) {
      propose(object, run, from);
      return;
    }
    Optional<Statement> commit =
        run.commitOf(from, core.mode.sealsStatements() ? 1 : core.thresholds.vouchers());
    if (!core.mode.sealsStatements() || commit.isPresent()) {
      object.tipWasChosen(); // It is committed at enough servers.
    }
    commit.ifPresent(known -> object.lastCommit = known);
    proposeNext(object, run);
  }

  /** Extends the tip by what is to be done, or confirms it if somebody waits for that. */
  private void proposeNext(ClientObject<?> object, Run run) {
    Optional<Entry> entry = object.extendTip();
    run.batch = object.work.own().size();
    run.servesOthers = object.work.hasForeign();
    if (entry.isPresent()) {
      propose(object, run, entry.get().state());
    } else if (run.phase != Phase.WARM && object.mustProposeTip(core.mode)) {
      propose(object, run, object.tipState());
    } else if (run.phase != Phase.WARM && !core.mode.sealsStatements()) {
      run.enter(Phase.WARM, now());
      run.wasWarm = true;
      object.tipWasChosen();
      core.finish(object, run.readers); // Who asked after the GET has to be shown more.
      goOn(object);
    } else if (run.phase == Phase.WARM && !object.readers.isEmpty()) {
      confirm(object, run);
    } else if (run.phase == Phase.WARM) {
      rest(object, run); // What is to be done is for clients that know more of the type.
    } else {
      core.settleOwn(object);
      giveUp(object, false); // What is left to do comes after what these answers do not show yet.
    }
  }

  /**
   * Asks whether our rank is still the highest. The answers must be new: any that came for a
   * proposal may have been given long ago.
   */
  private void confirm(ClientObject<?> object, Run run) {
    run.enter(Phase.CONFIRMING, now());
    run.confirmation = core.entropy.nextLong();
    run.takeReaders(object);
    sender.sendPhase(object, run, core.everyone);
    setTimer(new RunSender.Tick(object.name), core.timing.retryNanos());
  }

  private void rest(ClientObject<?> object, Run run) {
    sender.publishSoon(object, run);
    turns.endTurn(object);
  }

  private void propose(ClientObject<?> object, Run run, StateId state) {
    run.statement =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.PROPOSE, object.name, run.rank, state)
            : new Statement(run.rank, state, Optional.empty());
    run.enter(Phase.PROPOSING, now());
    run.takeReaders(object);
    sender.sendPhase(object, run, core.everyone);
    setTimer(new RunSender.Tick(object.name), core.timing.retryNanos());
  }

  void onBodies(ServerId from, Bodies bodies) {
    ClientObject<?> object = core.objects.get(bodies.object());
    if (object == null) {
      return;
    }
    if (!object.learn(from, bodies)) {
      tell(new Suspicion(from, "sends a state that is not what it is called"));
      return;
    }
    Run run = object.run;
    if (run != null && run.phase == Phase.GETTING) {
      decideIfEnough(object, run);
    } else if (run != null && run.phase == Phase.FETCHING) {
      proceedIfFetched(object, run);
    }
  }

  private void proceedIfFetched(ClientObject<?> object, Run run) {
    if (object.moveTip(RunSender.wantedBy(run))) {
      proceedFromChoice(object, run);
    }
  }

  private void onAccepted(ServerId from, Accepted accepted) {
    ClientObject<?> object = core.objects.get(accepted.object());
    Run run = object == null ? null : object.run;
    if (object == null || run == null || !run.rank.equals(accepted.rank())) {
      return;
    }
    core.hearPending(object, from, accepted.pending());
    sender.isUpToDate(from, object, run, accepted.stage());
    if (endIfOverdue(object, run)) {
      return;
    }
    if (run.phase == Phase.WARM) {
      goOn(object);
      return;
    }
    Phase expected = accepted.stage() == Stage.PROPOSED ? Phase.PROPOSING : Phase.COMMITTING;
    if (run.phase != expected || run.statement().state().version() != accepted.version()) {
      return;
    }
    if (!run.tally.remembers(from, accepted.epoch())) {
      return; // It accepted that in a memory that it lost before we were told what there is.
    }
    run.accepted = run.accepted.with(from);
    object.noRoom.remove(from);
    if (run.accepted.size() < core.thresholds.quorum()) {
      return;
    }
    run.chosenBy = run.phase == Phase.PROPOSING ? run.accepted : run.chosenBy;
    if (run.phase == Phase.PROPOSING && !core.mode.sealsStatements()) {
      run.enter(Phase.COMMITTING, now());
      sender.sendPhase(object, run, core.everyone);
      setTimer(new RunSender.Tick(object.name), core.timing.retryNanos());
    } else {
      chosen(object, run);
    }
  }

  /** What was proposed is chosen; where statements are not sealed it is committed, too. */
  private void chosen(ClientObject<?> object, Run run) {
    object.turn.failures = 0;
    object.turn.follows = false;
    StateId state = run.statement().state();
    if (object.tipState().equals(state)) {
      object.tipWasChosen();
    }
    object.lastCommit =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.COMMIT, object.name, run.rank, state)
            : run.statement();
    object.isPublished = !core.mode.sealsStatements();
    sender.restore(object, run);
    object.takeBase().ifPresent(base -> sendAll(core.everyone, new Rebase(object.name, base)));
    run.enter(Phase.WARM, now());
    run.wasWarm = true;
    sender.endRestoring(object, run);
    core.finish(object, run.readers);
    if (!run.refused.isEmpty()) {
      sender.publish(object);
      sender.endRun(object);
    }
    goOn(object);
  }

  private void onSuperseded(ServerId from, Superseded refusal) {
    ClientObject<?> object = core.objects.get(refusal.object());
    Run run = object == null ? null : object.run;
    if (object == null
        || run == null
        || run.refused.contains(from)
        || !run.rank.equals(refusal.asked())
        || !run.rank.isBelow(refusal.rank())) {
      return;
    }
    SealedRank higher =
        new SealedRank(refusal.rank().time(), refusal.rank().session(), refusal.seal());
    boolean hasKey = core.seals.knows(SealKind.TURN, object.name, higher.seal());
    if (core.mode.sealsRanks()
        && hasKey
        && !core.checked(
            core.forgedStatements,
            from,
            () -> core.seals.check(object.name, higher) == RankSeals.Verdict.VALID)) {
      tell(new Suspicion(from, "refuses by a rank that nobody sealed"));
      return;
    }
    var unused = horizon.hear(from, object.name, higher, now());
    if (core.mode.sealsRanks() && !hasKey) {
      // Perhaps of a key that is no longer in use: it counts if one of those who say so is correct.
      run.unprovenRefusals = run.unprovenRefusals.with(from);
      if (run.unprovenRefusals.size() <= core.thresholds.faults()) {
        return;
      }
      run.refused = run.refused.union(run.unprovenRefusals);
    }
    run.refused = run.refused.with(from);
    boolean isOver = run.refused.size() >= core.thresholds.blocking();
    boolean isColdAgain =
        run.phase == Phase.WARM && run.refused.size() >= core.thresholds.refusalsToGiveUp();
    if (run.wasWarm && (isOver || isColdAgain)) {
      sender.publish(object);
      sender.endRun(object);
      goOn(object); // Somebody came between: we begin anew, as if we had not been here before.
    } else if (isOver) {
      giveUp(object, true);
    }
  }

  private void onTick(RunSender.Tick tick) {
    ClientObject<?> object = core.objects.get(tick.object());
    if (object == null) {
      return;
    }
    if (object.turn.sleeps) {
      object.turn.sleeps = false;
      goOn(object);
      return;
    }
    Run run = object.run;
    if (run == null) {
      return;
    }
    if (run.phase == Phase.WARM) {
      sender.publish(object);
      return;
    }
    if (endIfOverdue(object, run)) {
      return;
    }
    ServerSet heard =
        switch (run.phase) {
          case GETTING -> sender.answeredGet(object, run);
          case PROPOSING, COMMITTING, CONFIRMING -> run.accepted;
          case FETCHING, WARM -> ServerSet.none();
        };
    run.helped = ServerSet.none();
    if (run.phase != Phase.GETTING) {
      for (ServerId server : run.tally.awaitedAgain()) {
        send(server, run.get(object.name, server, Optional.empty()));
      }
    }
    sender.sendPhase(object, run, core.everyone.minus(heard));
    setTimer(tick, core.timing.retryNanos());
  }

  /** Ends a run that gets no further. */
  private void giveUp(ClientObject<?> object, boolean collided) {
    sender.publish(object);
    sender.endRun(object);
    if (object.hasOwnWork()) {
      turns.stepBack(object, collided, new RunSender.Tick(object.name));
    } else {
      turns.endTurn(object);
    }
  }

  /** Whether a report of this server would be counted now. */
  boolean awaits(ServerId from, String name, long nonce) {
    ClientObject<?> object = core.objects.get(name);
    Run run = object == null ? null : object.run;
    return run != null && run.phase == Phase.GETTING && run.tally.awaits(from, nonce);
  }
}
