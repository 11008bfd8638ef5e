package io.testudo.ordering.client;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Suspicion;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The part of the client machine that orders: it learns from a quorum from which state to go on,
 * applies what is pending, and has a quorum store the result.
 */
final class Orderer extends Part<ServerId> {
  private final RankClock clock = new RankClock();
  private final Horizon horizon;

  private final ClientCore core;
  private final TurnTaker turns;
  private final BallotSender sender;
  private final Proposer proposer;
  private final Consumer<ClientObject<?>> readsAgain;

  /**
   * Makes the part.
   *
   * @param readsAgain has those who read look for what others have ordered
   */
  Orderer(ClientCore core, TurnTaker turns, Consumer<ClientObject<?>> readsAgain) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.sender = new BallotSender(core, this::endIfRefused);
    this.proposer = new Proposer(core, turns, sender, this);
    this.readsAgain = readsAgain;
    this.horizon = new Horizon(clock, core.seals, core.timing.maxSkewMillis(), core.thresholds);
    onMessage(Superseded.class, this::onSuperseded);
    onTimer(BallotSender.Tick.class, this::onTick);
  }

  void goOn(ClientObject<?> object) {
    Ballot ballot = object.ballot;
    if (ballot == null) {
      if (!object.hasOwnWork()) {
        turns.endTurn(object);
      } else if (!turns.mayOrder(object) && !object.turn.follows) {
        turns.follow(object); // Whoever may order does what we want done.
      } else if (turns.mayOrder(object) && !object.turn.waits() && turns.takes(object)) {
        begin(object);
      }
    } else {
      proposer.goOn(object, ballot);
    }
  }

  BallotSender sender() {
    return sender;
  }

  private void begin(ClientObject<?> object) {
    Rank rank = new Rank(clock.next(object.name, now(), core.entropy), core.session);
    Optional<Seal> seal =
        core.mode.sealsRanks()
            ? core.seals.seal(object.name, rank.time(), core.session)
            : Optional.empty();
    object.ballot =
        new Ballot(
            rank,
            seal,
            core.entropy.nextLong(),
            object.turn.isCourteous(),
            object.turn.displaced(),
            now());
    object.ballot.takeReaders(object);
    object.turn.follows = false; // Whoever is out of patience may have begun for its readers.
    // Who is brought up to date has to be asked, whoever else is.
    object.ballot.ask(object.restoring == null ? core.askedFirst(object) : core.everyone);
    sender.sendPhase(object, object.ballot, object.ballot.asked);
    setTimer(new BallotSender.Tick(object.name), core.untilLateNanos(object.ballot.asked));
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
      if (core.thresholds.isQuorum(ballot.accepted)) {
        ballot.enter(Phase.WARM, now());
        core.finish(object, ballot.readers);
        goOn(object);
      } else {
        endIfRefused(object, ballot);
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
    if (object.ballot == ballot
        && ballot.phase == Phase.GETTING
        && !endIfRefused(object, ballot, false)
        && !isVoid.contains(from)
        && !ballot.counts(core.mode, object.history, report)) {
      // What it reports counts when it can be had: else a liar could show us what nobody has.
      send(from, object.fetch(report.proposed().orElseThrow().state()));
    }
  }

  /** A ballot that was suspended is not resumed: who knows what happened meanwhile. */
  boolean endIfOverdue(ClientObject<?> object, Ballot ballot) {
    if (!ballot.isOverdue(now(), core.timing.ballotNanos())) {
      return false;
    }
    giveUp(object);
    return true;
  }

  private void decideIfEnough(ClientObject<?> object, Ballot ballot) {
    List<Choice.Told> told = ballot.told(core.mode, object.history);
    if (!core.thresholds.isQuorum(Choice.tellers(told))) {
      return;
    }
    Optional<Choice> choice = Choice.of(core.mode, core.thresholds, told);
    if (choice.isEmpty()) {
      giveUp(object); // The servers contradict themselves; others may not.
      return;
    }
    core.tookNanos(ballot, now().nanos() - ballot.begun.nanos());
    ballot.choice = choice.get();
    proceedFromChoice(object, ballot);
  }

  /** Goes on from the chosen state as soon as its bodies are here. */
  private void proceedFromChoice(ClientObject<?> object, Ballot ballot) {
    Choice choice = Objects.requireNonNull(ballot.choice);
    StateId from = choice.from().orElse(StateId.genesis(object.name));
    if (from.version() < object.chosenState().version()) {
      giveUp(object); // What was chosen is gone: more servers lie than are tolerated.
      return;
    }
    if (!object.moveTip(from)) {
      ballot.enter(Phase.FETCHING, now());
      sender.sendPhase(object, ballot, ballot.asked);
      return;
    }
    if (choice.mustComplete()) {
      proposer.propose(object, ballot, from);
      return;
    }
    Optional<Statement> commit =
        ballot.commitOf(from, core.mode.sealsStatements() ? 1 : core.thresholds.vouchers());
    if (!core.mode.sealsStatements() || commit.isPresent()) {
      object.tipWasChosen(); // It is committed at enough servers.
    }
    commit.ifPresent(known -> object.lastCommit = known);
    proposer.proposeNext(object, ballot);
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
    object.turn.hear(refusal.rank());
    if (ballot.phase == Phase.WARM && ballot.refused.size() >= core.thresholds.refusalsToGiveUp()) {
      lose(object, ballot);
    } else {
      endIfRefused(object, ballot);
    }
  }

  /**
   * Ends a ballot that can have no quorum any more: because of those that refuse it, or because all
   * have answered that can be expected to. Those that are silent are not waited for.
   */
  void endIfRefused(ClientObject<?> object, Ballot ballot) {
    endIfRefused(object, ballot, false);
  }

  /**
   * The same.
   *
   * @param areLate whether all others had time to answer
   * @return whether it has ended
   */
  private boolean endIfRefused(ClientObject<?> object, Ballot ballot, boolean areLate) {
    // Who was busy when it was asked may accept what is proposed: our rank is the highest by now.
    ServerSet against =
        ballot.phase == Phase.GETTING ? ballot.refused.union(ballot.busy) : ballot.refused;
    if (against.isEmpty() || ballot.phase == Phase.WARM) {
      return false;
    }
    // Else a liar alone could end every ballot, by a word just before the last of the others.
    boolean isTrue =
        areLate
            || against.size() > core.thresholds.faults()
            || ballot.refused.size() >= core.thresholds.refusalsToGiveUp();
    ServerSet consenting = consenting(object, ballot, areLate).minus(against);
    boolean isOver;
    if (ballot.asked.equals(core.everyone)) {
      isOver =
          core.thresholds.isBlockedBy(against)
              || (isTrue
                  && !core.thresholds.isQuorum(consenting)
                  && consenting.size() + against.size() >= core.thresholds.responsive());
    } else {
      // Of one quorum no server can be missed. If one of those against it is correct, others that
      // were not asked change nothing that matters; else they do without the liars.
      isOver = against.size() > core.thresholds.faults();
    }
    if (isOver) {
      lose(object, ballot);
    } else {
      sender.widen(object, ballot);
    }
    return isOver;
  }

  /**
   * Those that have done what the present phase asks. Who tells of what it does not send may yet.
   */
  private ServerSet consenting(ClientObject<?> object, Ballot ballot, boolean areLate) {
    return switch (ballot.phase) {
      case GETTING ->
          areLate
              ? Choice.tellers(ballot.told(core.mode, object.history))
              : ballot.tally.reporters();
      case PROPOSING -> ballot.acceptedFirst();
      case COMMITTING, CONFIRMING -> ballot.accepted;
      case FETCHING, WARM -> ServerSet.none();
    };
  }

  /**
   * A ballot was refused. One that had the tenure, or has the lock, begins anew, at a higher rank:
   * whoever came between may not have got far. Else somebody else orders, and does what we want
   * done.
   */
  void lose(ClientObject<?> object, Ballot ballot) {
    if (ballot.phase == Phase.GETTING) {
      core.tookNanos(ballot, now().nanos() - ballot.begun.nanos());
    }
    sender.publish(object);
    sender.endBallot(object);
    boolean hasWork = object.hasOwnWork() || object.hasForeignWork();
    if (hasWork && turns.mayOrder(object) && turns.mayBeginAnew(object, ballot.wasWarm)) {
      begin(object);
      return;
    }
    sender.endTenure(object, ballot); // Where we came first, others must not wait for us.
    turns.giveBack(object);
    if (object.hasOwnWork()) {
      turns.follow(object, ballot);
    }
    readsAgain.accept(object);
  }

  /**
   * Ends a ballot whose proposals do not go on from what is known to be chosen: somebody of a
   * higher rank has chosen that. What we would propose next goes on from it, and a rank has one
   * line.
   */
  void endIfOvertaken(ClientObject<?> object) {
    Ballot ballot = object.ballot;
    if (ballot != null && !ballot.flight.isEmpty()) {
      StateId proposed = ballot.statement().state();
      if (object.history.path(object.chosenState(), proposed).isEmpty()) {
        lose(object, ballot);
      }
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
    if (endIfOverdue(object, ballot) || endIfRefused(object, ballot, true)) {
      return;
    }
    ServerSet heard =
        switch (ballot.phase) {
          case GETTING -> sender.answeredGet(object, ballot);
          case PROPOSING -> ballot.acceptedAll();
          case COMMITTING, CONFIRMING -> ballot.accepted;
          case FETCHING, WARM -> ServerSet.none();
        };
    if (ballot.phase != Phase.FETCHING && !ballot.asked.equals(core.everyone)) {
      core.areLate(ballot.asked.minus(heard)); // Those that were helped had as long again.
    }
    ballot.helped = ServerSet.none();
    ballot.widen(core.everyone);
    if (ballot.phase != Phase.GETTING) {
      for (ServerId server : ballot.tally.awaitedAgain()) {
        send(server, ballot.get(object.name, server, Optional.empty()));
      }
    }
    sender.sendPhase(object, ballot, core.everyone.minus(heard));
    setTimer(tick, core.retryNanos());
  }

  /** Lets others order at once, whatever we were about to do. */
  void leave(ClientObject<?> object) {
    if (object.ballot != null) {
      sender.publish(object);
      sender.endTenure(object, object.ballot);
      sender.endBallot(object);
    }
    turns.endTurn(object);
  }

  /** Ends a ballot that gets no further. */
  void giveUp(ClientObject<?> object) {
    sender.publish(object);
    if (object.ballot != null) {
      sender.endTenure(object, object.ballot);
    }
    sender.endBallot(object);
    if (object.hasOwnWork()) {
      turns.stepBack(object, new BallotSender.Tick(object.name));
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
