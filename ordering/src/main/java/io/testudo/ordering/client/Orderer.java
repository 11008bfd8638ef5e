package io.testudo.ordering.client;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.InstallSnapshot;
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
 * The part of the client machine that orders: it learns from a quorum from which state to go on,
 * applies what is pending, and has a quorum store the result.
 */
final class Orderer extends Part<ServerId> {
  /** Whoever was about to come back has come. */
  private record Gathered(String object) implements TimerKey {}

  private final RankClock clock = new RankClock();
  private final Horizon horizon;

  private final ClientCore core;
  private final TurnTaker turns;
  private final BallotSender sender;

  Orderer(ClientCore core, TurnTaker turns, BallotSender sender) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.sender = sender;
    this.horizon = new Horizon(clock, core.seals, core.timing.maxSkewMillis(), core.thresholds);
    onMessage(Accepted.class, this::onAccepted);
    onMessage(Superseded.class, this::onSuperseded);
    onTimer(BallotSender.Tick.class, this::onTick);
    onTimer(Gathered.class, this::onGathered);
  }

  void goOn(ClientObject<?> object) {
    Ballot ballot = object.ballot;
    if (ballot == null) {
      if (!object.hasOwnWork()) {
        turns.endTurn(object);
      } else if (!turns.mayOrder(object) && !object.turn.follows) {
        turns.follow(object); // Whoever may order does what we want done.
      } else if (turns.mayOrder(object) && !object.turn.waits()) {
        begin(object);
      }
    } else if (ballot.phase == Phase.WARM) {
      if (object.hasOwnWork() || object.hasForeignWork()) {
        gather(object, ballot);
      } else {
        rest(object, ballot);
      }
    }
  }

  /**
   * Proposes what is to be done. If there were several callers the last time and the first of them
   * is back, the others are about to come: a moment of waiting saves a round trip.
   */
  private void gather(ClientObject<?> object, Ballot ballot) {
    int waiting = object.work.own().size();
    if (waiting == 0 || waiting >= ballot.batch) {
      proposeNext(object, ballot);
    } else if (!ballot.gathers) {
      ballot.gathers = true;
      setTimer(new Gathered(object.name), 0);
    }
  }

  private void onGathered(Gathered gathered) {
    ClientObject<?> object = core.objects.get(gathered.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object != null && ballot != null && ballot.gathers) {
      ballot.gathers = false;
      if (ballot.phase == Phase.WARM) {
        proposeNext(object, ballot);
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
    object.ballot = new Ballot(rank, seal, core.entropy.nextLong(), courteous, now());
    object.ballot.takeReaders(object);
    sender.sendPhase(object, object.ballot, core.everyone);
    setTimer(new BallotSender.Tick(object.name), core.timing.retryNanos());
  }

  void onReport(ServerId from, Report report) {
    ClientObject<?> object = core.objects.get(report.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null || ballot == null || sender.hasNoted(from, object, ballot, report)) {
      return;
    }
    boolean confirms = ballot.phase == Phase.CONFIRMING && ballot.confirmation == report.nonce();
    // A server reports once to a question, or a liar could fill our memory.
    if ((!confirms && !ballot.tally.awaits(from, report.nonce())) || endIfOverdue(object, ballot)) {
      return;
    }
    core.hearPending(object, from, report.pending());
    if (confirms) {
      if (!ballot.tally.remembers(from, report.epoch())) {
        return;
      }
      ballot.accepted = ballot.accepted.with(from);
      if (ballot.accepted.size() >= core.thresholds.quorum()) {
        ballot.enter(Phase.WARM, now());
        core.finish(object, ballot.readers);
        goOn(object);
      }
      return;
    }
    if (!core.isPlausible(object, from, report)) {
      tell(new Suspicion(from, "shows a statement with a forged seal"));
      return;
    }
    ServerSet isVoid = ballot.tally.take(from, report, ballot.phase != Phase.GETTING);
    for (ServerId server : isVoid) {
      ballot.tally.askAgain(server, core.entropy.nextLong());
      send(server, ballot.get(object.name, server, Optional.empty()));
    }
    if (ballot.phase != Phase.GETTING && ballot.phase != Phase.FETCHING) {
      return;
    }
    report.entries().forEach(object.history::add);
    if (ballot.phase == Phase.FETCHING) {
      proceedIfFetched(object, ballot);
      return;
    }
    decideIfEnough(object, ballot);
    if (ballot.phase == Phase.GETTING
        && !isVoid.contains(from)
        && !ballot.counts(core.mode, object.history, report)) {
      // What it reports counts when it can be had: else a liar could show us what nobody has.
      send(from, object.fetch(report.proposed().orElseThrow().state()));
    }
  }

  /** A ballot that was suspended is not resumed: who knows what happened meanwhile. */
  private boolean endIfOverdue(ClientObject<?> object, Ballot ballot) {
    if (!ballot.isOverdue(now(), core.timing.ballotNanos())) {
      return false;
    }
    giveUp(object, false);
    return true;
  }

  private void decideIfEnough(ClientObject<?> object, Ballot ballot) {
    List<Choice.Told> told = ballot.told(core.mode, object.history);
    if (told.size() < core.thresholds.quorum()) {
      return;
    }
    Optional<Choice> choice = Choice.of(core.mode, core.thresholds, told);
    if (choice.isEmpty()) {
      giveUp(object, false); // The servers contradict themselves; others may not.
      return;
    }
    ballot.choice = choice.get();
    proceedFromChoice(object, ballot);
  }

  /** Goes on from the chosen state as soon as its bodies are here. */
  private void proceedFromChoice(ClientObject<?> object, Ballot ballot) {
    Choice choice = Objects.requireNonNull(ballot.choice);
    StateId from = choice.from().orElse(StateId.genesis(object.name));
    if (from.version() < object.chosenState().version()) {
      giveUp(object, false); // What was chosen is gone: more servers lie than are tolerated.
      return;
    }
    if (!object.moveTip(from)) {
      ballot.enter(Phase.FETCHING, now());
      sender.sendPhase(object, ballot, core.everyone);
      return;
    }
    if (choice.mustComplete()) {
      propose(object, ballot, from);
      return;
    }
    Optional<Statement> commit =
        ballot.commitOf(from, core.mode.sealsStatements() ? 1 : core.thresholds.vouchers());
    if (!core.mode.sealsStatements() || commit.isPresent()) {
      object.tipWasChosen(); // It is committed at enough servers.
    }
    commit.ifPresent(known -> object.lastCommit = known);
    proposeNext(object, ballot);
  }

  /** Extends the tip by what is to be done, or confirms it if somebody waits for that. */
  private void proposeNext(ClientObject<?> object, Ballot ballot) {
    Optional<Entry> entry = object.extendTip();
    ballot.batch = object.work.own().size();
    ballot.servesOthers = object.work.hasForeign();
    if (entry.isPresent()) {
      propose(object, ballot, entry.get().state());
    } else if (ballot.phase != Phase.WARM && object.mustProposeTip(core.mode)) {
      propose(object, ballot, object.tipState());
    } else if (ballot.phase != Phase.WARM && !core.mode.sealsStatements()) {
      ballot.enter(Phase.WARM, now());
      ballot.wasWarm = true;
      object.tipWasChosen();
      core.finish(object, ballot.readers); // Who asked after the GET has to be shown more.
      goOn(object);
    } else if (ballot.phase == Phase.WARM && !object.readers.isEmpty()) {
      confirm(object, ballot);
    } else if (ballot.phase == Phase.WARM) {
      rest(object, ballot); // What is to be done is for clients that know more of the type.
    } else {
      core.settleOwn(object);
      giveUp(object, false); // What is left to do comes after what these answers do not show yet.
    }
  }

  /** Asks whether our rank is still the highest: answers to a proposal may be old. */
  private void confirm(ClientObject<?> object, Ballot ballot) {
    ballot.enter(Phase.CONFIRMING, now());
    ballot.confirmation = core.entropy.nextLong();
    ballot.takeReaders(object);
    sender.sendPhase(object, ballot, core.everyone);
    setTimer(new BallotSender.Tick(object.name), core.timing.retryNanos());
  }

  private void rest(ClientObject<?> object, Ballot ballot) {
    sender.publishSoon(object, ballot);
    turns.endTurn(object);
  }

  private void propose(ClientObject<?> object, Ballot ballot, StateId state) {
    ballot.statement =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.PROPOSE, object.name, ballot.rank, state)
            : new Statement(ballot.rank, state, Optional.empty());
    ballot.enter(Phase.PROPOSING, now());
    ballot.takeReaders(object);
    sender.sendPhase(object, ballot, core.everyone);
    setTimer(new BallotSender.Tick(object.name), core.timing.retryNanos());
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
    Ballot ballot = object.ballot;
    if (ballot != null && ballot.phase == Phase.GETTING) {
      decideIfEnough(object, ballot);
    } else if (ballot != null && ballot.phase == Phase.FETCHING) {
      proceedIfFetched(object, ballot);
    }
  }

  private void proceedIfFetched(ClientObject<?> object, Ballot ballot) {
    if (object.moveTip(BallotSender.wantedBy(ballot))) {
      proceedFromChoice(object, ballot);
    }
  }

  private void onAccepted(ServerId from, Accepted accepted) {
    ClientObject<?> object = core.objects.get(accepted.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null || ballot == null || !ballot.rank.equals(accepted.rank())) {
      return;
    }
    core.hearPending(object, from, accepted.pending());
    sender.isUpToDate(from, object, ballot, accepted.stage());
    if (endIfOverdue(object, ballot)) {
      return;
    }
    if (ballot.phase == Phase.WARM) {
      goOn(object);
      return;
    }
    Phase expected = accepted.stage() == Stage.PROPOSED ? Phase.PROPOSING : Phase.COMMITTING;
    if (ballot.phase != expected || ballot.statement().state().version() != accepted.version()) {
      return;
    }
    if (!ballot.tally.remembers(from, accepted.epoch())) {
      return; // It accepted that in a memory that it lost before we were told what there is.
    }
    ballot.accepted = ballot.accepted.with(from);
    object.noRoom.remove(from);
    if (ballot.accepted.size() < core.thresholds.quorum()) {
      return;
    }
    ballot.chosenBy = ballot.phase == Phase.PROPOSING ? ballot.accepted : ballot.chosenBy;
    if (ballot.phase == Phase.PROPOSING && !core.mode.sealsStatements()) {
      ballot.enter(Phase.COMMITTING, now());
      sender.sendPhase(object, ballot, core.everyone);
      setTimer(new BallotSender.Tick(object.name), core.timing.retryNanos());
    } else {
      chosen(object, ballot);
    }
  }

  /** What was proposed is chosen; where statements are not sealed it is committed, too. */
  private void chosen(ClientObject<?> object, Ballot ballot) {
    object.turn.failures = 0;
    object.turn.follows = false;
    StateId state = ballot.statement().state();
    if (object.tipState().equals(state)) {
      object.tipWasChosen();
    }
    object.lastCommit =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.COMMIT, object.name, ballot.rank, state)
            : ballot.statement();
    object.isPublished = !core.mode.sealsStatements();
    sender.restore(object, ballot);
    object
        .takeSnapshot()
        .ifPresent(snapshot -> sendAll(core.everyone, new InstallSnapshot(object.name, snapshot)));
    ballot.enter(Phase.WARM, now());
    ballot.wasWarm = true;
    sender.endRestoring(object, ballot);
    core.finish(object, ballot.readers);
    if (!ballot.refused.isEmpty()) {
      sender.publish(object);
      sender.endBallot(object);
    }
    goOn(object);
  }

  private void onSuperseded(ServerId from, Superseded refusal) {
    ClientObject<?> object = core.objects.get(refusal.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null
        || ballot == null
        || ballot.refused.contains(from)
        || !ballot.rank.equals(refusal.asked())
        || !ballot.rank.isBelow(refusal.rank())) {
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
      ballot.unprovenRefusals = ballot.unprovenRefusals.with(from);
      if (ballot.unprovenRefusals.size() <= core.thresholds.faults()) {
        return;
      }
      ballot.refused = ballot.refused.union(ballot.unprovenRefusals);
    }
    ballot.refused = ballot.refused.with(from);
    boolean isOver = ballot.refused.size() >= core.thresholds.blocking();
    boolean isColdAgain =
        ballot.phase == Phase.WARM && ballot.refused.size() >= core.thresholds.refusalsToGiveUp();
    if (ballot.wasWarm && (isOver || isColdAgain)) {
      sender.publish(object);
      sender.endBallot(object);
      goOn(object); // Somebody came between: we begin anew, as if we had not been here before.
    } else if (isOver) {
      giveUp(object, true);
    }
  }

  private void onTick(BallotSender.Tick tick) {
    ClientObject<?> object = core.objects.get(tick.object());
    if (object == null) {
      return;
    }
    if (object.turn.sleeps) {
      object.turn.sleeps = false;
      goOn(object);
      return;
    }
    Ballot ballot = object.ballot;
    if (ballot == null) {
      return;
    }
    if (ballot.phase == Phase.WARM) {
      sender.publish(object);
      return;
    }
    if (endIfOverdue(object, ballot)) {
      return;
    }
    ServerSet heard =
        switch (ballot.phase) {
          case GETTING -> sender.answeredGet(object, ballot);
          case PROPOSING, COMMITTING, CONFIRMING -> ballot.accepted;
          case FETCHING, WARM -> ServerSet.none();
        };
    ballot.helped = ServerSet.none();
    if (ballot.phase != Phase.GETTING) {
      for (ServerId server : ballot.tally.awaitedAgain()) {
        send(server, ballot.get(object.name, server, Optional.empty()));
      }
    }
    sender.sendPhase(object, ballot, core.everyone.minus(heard));
    setTimer(tick, core.timing.retryNanos());
  }

  /** Ends a ballot that gets no further. */
  private void giveUp(ClientObject<?> object, boolean collided) {
    sender.publish(object);
    sender.endBallot(object);
    if (object.hasOwnWork()) {
      turns.stepBack(object, collided, new BallotSender.Tick(object.name));
    } else {
      turns.endTurn(object);
    }
  }

  /** Whether a report of this server would be counted now. */
  boolean awaits(ServerId from, String name, long nonce) {
    ClientObject<?> object = core.objects.get(name);
    Ballot ballot = object == null ? null : object.ballot;
    return ballot != null && ballot.phase == Phase.GETTING && ballot.tally.awaits(from, nonce);
  }
}
