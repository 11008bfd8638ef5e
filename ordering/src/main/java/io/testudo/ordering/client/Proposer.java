package io.testudo.ordering.client;

import io.testudo.crypto.SealKind;
import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.ordering.client.Ballot.Proposal;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Relayed;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.Optional;

/**
 * The part of the client machine that has a quorum store what it orders, once it knows from which
 * state to go on. Where statements are sealed, several proposals may be under way: each contains
 * those before it, so whoever accepts one has accepted them all.
 */
final class Proposer extends Part<ServerId> {
  /** As many proposals are under way in a round trip, so that each has several operations. */
  private static final int WINDOW = 4;

  /** With fewer, servers would wait for a client that waits for them. */
  private static final int LEAST_WINDOW = 2;

  /** A tenure that nobody needs ends, at the latest, after this. */
  private static final long LONGEST_REST_NANOS = 1_000_000_000L;

  /** Whoever was about to come back has come, or a proposal may follow the last one. */
  record Gathered(String object) implements TimerKey {}

  /** There was nothing to order for so long that others may. */
  private record Rested(String object) implements TimerKey {}

  private final ClientCore core;
  private final TurnTaker turns;
  private final BallotSender sender;
  private final Orderer orderer;

  Proposer(ClientCore core, TurnTaker turns, BallotSender sender, Orderer orderer) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.sender = sender;
    this.orderer = orderer;
    onMessage(Accepted.class, this::onAccepted);
    onMessage(Relayed.class, this::onRelayed);
    onTimer(Gathered.class, this::onGathered);
    onTimer(Rested.class, this::onRested);
  }

  /** Goes on with a ballot that has a state to go on from. */
  void goOn(ClientObject<?> object, Ballot ballot) {
    if (object.hasOwnWork() || object.hasForeignWork()) {
      if (mayPropose(ballot)) {
        gather(object, ballot);
      }
    } else if (ballot.phase == Phase.WARM) {
      rest(object);
    }
  }

  /** A ballot that was refused somewhere ends with what is under way. */
  private boolean mayPropose(Ballot ballot) {
    return ballot.phase == Phase.WARM
        || (ballot.phase == Phase.PROPOSING
            && core.mode.sealsStatements()
            && ballot.refused.isEmpty()
            && ballot.flight.size() < window());
  }

  /** Where servers have more to do than they can, few large proposals are sooner done. */
  private int window() {
    return core.roundTrips.isInflated() ? LEAST_WINDOW : WINDOW;
  }

  /**
   * Proposes what is to be done. If there were several callers the last time and the first of them
   * is back, the others are about to come: a moment of waiting saves a round trip. If proposals are
   * under way, the next one comes when its share of a round trip has passed.
   */
  private void gather(ClientObject<?> object, Ballot ballot) {
    int waiting = object.work.own().size();
    if (ballot.flight.isEmpty() && (waiting == 0 || waiting >= ballot.batch)) {
      proposeNext(object, ballot);
    } else if (!ballot.gathers) {
      ballot.gathers = true;
      long dueNanos = 0;
      if (!ballot.flight.isEmpty()) {
        long spacingNanos = core.roundTrips.meanNanos() / WINDOW;
        dueNanos = ballot.flight.getLast().sent.nanos() + spacingNanos - now().nanos();
      }
      setTimer(new Gathered(object.name), Math.max(0, dueNanos));
    }
  }

  private void onGathered(Gathered gathered) {
    ClientObject<?> object = core.objects.get(gathered.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object != null && ballot != null && ballot.gathers) {
      ballot.gathers = false;
      if (mayPropose(ballot)) {
        proposeNext(object, ballot);
      }
    }
  }

  private void onRelayed(ServerId from, Relayed relayed) {
    ClientObject<?> object = core.objects.get(relayed.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null || ballot == null || !ballot.rank.equals(relayed.rank())) {
      send(
          from,
          new EndTenure(relayed.object(), relayed.rank())); // It has not heard that we do not.
      return;
    }
    core.hearPending(object, from, relayed.operations());
    goOn(object, ballot);
  }

  /** Extends the tip by what is to be done, or confirms it if somebody waits for that. */
  void proposeNext(ClientObject<?> object, Ballot ballot) {
    Optional<Entry> entry = object.extendTip(now().wallMillis());
    ballot.batch = object.work.own().size();
    if (entry.isPresent()) {
      propose(object, ballot, entry.get().state());
    } else if (!ballot.flight.isEmpty()) {
      return; // What there is to do comes after what is under way.
    } else if (ballot.phase != Phase.WARM && object.mustProposeTip(core.mode)) {
      propose(object, ballot, object.tipState());
    } else if (ballot.phase != Phase.WARM && !core.mode.sealsStatements()) {
      ballot.enter(Phase.WARM, now());
      ballot.wasWarm = true;
      object.tipWasChosen();
      core.finish(object, ballot.readers); // Who asked after the GET has to be shown more.
      orderer.goOn(object);
    } else if (ballot.phase == Phase.WARM && !object.readers.isEmpty()) {
      confirm(object, ballot);
    } else if (ballot.phase == Phase.WARM && object.work.own().isEmpty()) {
      rest(object); // What is to be done is for clients that know more of the type.
    } else if (ballot.phase == Phase.WARM) {
      orderer.lose(object, ballot); // Ours come after what others have ordered: they are ahead.
    } else {
      core.settleOwn(object);
      orderer.giveUp(object); // What is left to do comes after what these answers do not show yet.
    }
  }

  /** Asks whether our rank is still the highest: answers to a proposal may be old. */
  private void confirm(ClientObject<?> object, Ballot ballot) {
    chooseAsked(object, ballot);
    ballot.enter(Phase.CONFIRMING, now());
    ballot.confirmation = core.entropy.nextLong();
    ballot.takeReaders(object);
    sender.sendPhase(object, ballot, ballot.asked);
    setTimer(new BallotSender.Tick(object.name), core.untilLateNanos(ballot.asked));
  }

  /** Keeps the tenure for as long as something may soon be there to order. */
  private void rest(ClientObject<?> object) {
    sender.publishSoon(object);
    turns.rest(object);
    long usualNanos = Math.max(object.turn.gaps.mostNanos(), 2 * core.roundTrips.mostNanos());
    long restNanos = Math.max(2 * core.timing.lingerNanos(), usualNanos);
    setTimer(new Rested(object.name), Math.min(restNanos, LONGEST_REST_NANOS));
  }

  private void onRested(Rested rested) {
    ClientObject<?> object = core.objects.get(rested.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object != null
        && ballot != null
        && ballot.phase == Phase.WARM
        && !(ballot.gathers && object.hasOwnWork())) {
      sender.publish(object);
      sender.endTenure(object, ballot);
      if (turns.endWithTenure()) {
        sender.endBallot(object);
        turns.endTurn(object);
      }
    }
  }

  /**
   * Settles whom the next proposal goes to: if all had to be asked for the last one, a quorum is
   * enough again. Those whom proposals are under way to stay, since these need them.
   */
  private void chooseAsked(ClientObject<?> object, Ballot ballot) {
    if (core.asksAll(object)) {
      if (!ballot.asked.equals(core.everyone)) {
        ballot.ask(core.everyone);
      }
    } else if (ballot.flight.isEmpty()
        && (ballot.phase == Phase.WARM || core.isOneAvoided(ballot.asked))) {
      ballot.ask(core.askedFirst(object));
    }
  }

  void propose(ClientObject<?> object, Ballot ballot, StateId state) {
    Statement statement =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.PROPOSE, object.name, ballot.rank, state)
            : new Statement(ballot.rank, state, Optional.empty());
    ballot.takeReaders(object);
    chooseAsked(object, ballot);
    ballot.propose(statement, now());
    Turn turn = object.turn;
    if (turn.workedNanos != OwnOperation.NEVER) {
      turn.gaps.measured(now().nanos() - turn.workedNanos);
    }
    turn.workedNanos = now().nanos();
    cancelTimer(new Rested(object.name));
    sender.sendNewest(object, ballot);
    setTimer(new BallotSender.Tick(object.name), core.untilLateNanos(ballot.asked));
  }

  private void onAccepted(ServerId from, Accepted accepted) {
    ClientObject<?> object = core.objects.get(accepted.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null || ballot == null || !ballot.rank.equals(accepted.rank())) {
      return;
    }
    core.hearPending(object, from, accepted.pending());
    sender.isUpToDate(from, object, ballot, accepted.stage());
    if (orderer.endIfOverdue(object, ballot)) {
      return;
    }
    if (counts(from, ballot, accepted)) {
      object.noRoom.remove(from);
      if (accepted.stage() == Stage.PROPOSED) {
        onProposalAccepted(from, object, ballot, accepted.version());
      } else {
        onCommitAccepted(from, object, ballot);
      }
    }
    if (object.ballot == ballot) {
      goOn(object, ballot);
    }
  }

  /** Whether this is an answer to what is asked, of a memory that still is. */
  private static boolean counts(ServerId from, Ballot ballot, Accepted accepted) {
    Phase expected = accepted.stage() == Stage.PROPOSED ? Phase.PROPOSING : Phase.COMMITTING;
    if (ballot.phase != expected || accepted.version() > ballot.statement().state().version()) {
      return false;
    }
    if (!ballot.tally.remembers(from, accepted.epoch())) {
      return false; // It accepted that in a memory that it lost before we were told what there is.
    }
    return accepted.stage() == Stage.PROPOSED
        || accepted.version() == ballot.statement().state().version();
  }

  private void onProposalAccepted(
      ServerId from, ClientObject<?> object, Ballot ballot, long version) {
    Proposal complete = ballot.accept(from, version, core.thresholds);
    if (complete == null) {
      orderer.endIfRefused(object, ballot);
      return;
    }
    core.tookNanos(ballot, now().nanos() - complete.sent.nanos());
    ballot.chosenBy = complete.accepted;
    ballot.chosenVersion = complete.version();
    if (core.mode.sealsStatements()) {
      chosen(object, ballot, complete);
    } else {
      ballot.enter(Phase.COMMITTING, now());
      sender.sendPhase(object, ballot, ballot.asked);
      setTimer(new BallotSender.Tick(object.name), core.untilLateNanos(ballot.asked));
    }
  }

  private void onCommitAccepted(ServerId from, ClientObject<?> object, Ballot ballot) {
    ballot.accepted = ballot.accepted.with(from);
    if (core.thresholds.isQuorum(ballot.accepted)) {
      chosen(object, ballot, ballot.flight.getLast());
    } else {
      orderer.endIfRefused(object, ballot);
    }
  }

  /** What was proposed is chosen; where statements are not sealed it is committed, too. */
  private void chosen(ClientObject<?> object, Ballot ballot, Proposal complete) {
    object.turn.taken();
    StateId state = complete.statement.state();
    object.wasChosen(state);
    object.lastCommit =
        core.mode.sealsStatements()
            ? core.seals.seal(SealKind.COMMIT, object.name, ballot.rank, state)
            : complete.statement;
    object.isPublished = !core.mode.sealsStatements();
    List<CallId<ReadResult>> readers = ballot.land(complete);
    sender.restore(object, ballot);
    object
        .takeSnapshot()
        .ifPresent(snapshot -> sendAll(ballot.asked, new InstallSnapshot(object.name, snapshot)));
    if (ballot.flight.isEmpty()) {
      core.wereInTime(ballot.asked);
      ballot.enter(Phase.WARM, now());
    } else {
      ballot.begun = ballot.flight.element().sent;
      ballot.helped = ServerSet.none();
    }
    ballot.wasWarm = true;
    sender.endRestoring(object, ballot);
    core.finish(object, readers);
    if (!ballot.refused.isEmpty() && ballot.flight.isEmpty()) {
      orderer.lose(object, ballot);
    } else {
      orderer.goOn(object);
    }
  }
}
