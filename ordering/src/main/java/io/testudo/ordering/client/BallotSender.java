package io.testudo.ordering.client;

import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Missing;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The part of the client machine that sends what a ballot asks of servers, and helps those that lag
 * behind or have lost their memory.
 */
final class BallotSender extends Part<ServerId> {
  /** Rings when servers are asked again, a commit is due, or a ballot begins anew. */
  record Tick(String object) implements TimerKey {}

  private final ClientCore core;
  private final ProposalSender proposals;
  private final BiConsumer<ClientObject<?>, Ballot> isBusy;

  /**
   * Makes the part.
   *
   * @param isBusy hears that one more server said that somebody else has the tenure
   */
  BallotSender(ClientCore core, BiConsumer<ClientObject<?>, Ballot> isBusy) {
    super(core);
    this.core = core;
    this.proposals = new ProposalSender(core);
    this.isBusy = isBusy;
    onMessage(Missing.class, this::onMissing);
    onMessage(Absent.class, this::onAbsent);
    onMessage(Busy.class, this::onBusy);
  }

  /** Asks those, too, that were not asked so far. */
  void widen(ClientObject<?> object, Ballot ballot) {
    ServerSet others = core.everyone.minus(ballot.asked);
    if (!others.isEmpty()) {
      ballot.widen(core.everyone);
      sendPhase(object, ballot, others);
      setTimer(new Tick(object.name), core.retryNanos());
    }
  }

  /** Sends what the present phase asks of servers. */
  void sendPhase(ClientObject<?> object, Ballot ballot, ServerSet servers) {
    switch (ballot.phase) {
      case GETTING -> {
        ServerId informant = core.pick(servers);
        for (ServerId server : servers) {
          Optional<StateId> known =
              server.equals(informant) ? object.known(object.tipState()) : Optional.empty();
          send(server, ballot.get(object.name, server, known));
        }
      }
      case FETCHING -> {
        sendAll(servers, object.fetch(wantedBy(ballot)));
      }
      case PROPOSING -> proposals.send(object, ballot, servers);
      case COMMITTING -> proposals.sendCommit(object, ballot, servers);
      case CONFIRMING ->
          sendAll(
              servers,
              new Get(
                  object.name,
                  ballot.confirmation,
                  ballot.rank,
                  ballot.rankSeal,
                  Optional.empty(),
                  false));
      case WARM -> {}
    }
  }

  /** Sends the newest proposal. */
  void sendNewest(ClientObject<?> object, Ballot ballot) {
    proposals.sendNewest(object, ballot);
  }

  private void onMissing(ServerId from, Missing missing) {
    ClientObject<?> object = core.objects.get(missing.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null
        || ballot == null
        || ballot.statement == null
        || !ballot.rank.equals(missing.rank())
        || !ballot.hasProposed(missing.wanted())
        || ballot.helped.contains(from)
        || !ballot.helps.mayHelp(from, now().nanos(), core.timing.retryNanos())) {
      return;
    }
    ballot.helped = ballot.helped.with(from);
    if (!ballot.asked.equals(core.everyone)) {
      setTimer(new Tick(object.name), core.untilLateNanos(ballot.asked)); // It is not late yet.
    }
    StateId wanted = ballot.statement.state();
    Optional<List<Entry>> fromTheirs = object.history.path(missing.newest(), wanted);
    if (fromTheirs.isEmpty()) {
      object
          .history
          .snapshot()
          .ifPresent(snapshot -> send(from, new InstallSnapshot(object.name, snapshot)));
    }
    List<Entry> entries =
        fromTheirs.or(() -> object.history.path(object.history.start(), wanted)).orElse(List.of());
    ProposalSender.messages(object, ballot, entries, Optional.empty())
        .forEach(propose -> send(from, propose));
    if (ballot.phase == Phase.COMMITTING) {
      send(from, new Commit(object.name, ballot.statement, ballot.rankSeal));
    }
  }

  private void onAbsent(ServerId from, Absent absent) {
    ClientObject<?> object = core.objects.get(absent.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object == null || ballot == null || !ballot.rank.equals(absent.asked())) {
      return;
    }
    ballot.absent = ballot.absent.with(from);
    if (!ballot.asked.equals(core.everyone)) {
      core.areLate(ServerSet.of(from)); // Else one that says so each time costs a round trip each.
    }
    widen(object, ballot); // Without it, the others of its quorum are none.
    if (ballot.helped.contains(from)) {
      return;
    }
    ballot.helped = ballot.helped.with(from);
    long known = ballot.epochOfLoss(from);
    if (absent.epoch() > known && (known == 0 || isNotedByNow(ballot))) {
      ballot.lost(new MemoryEpoch(from, absent.epoch()));
      ballot.noting = new ReportTally(core.entropy.nextLong());
      ballot.notingSinceNanos = now().nanos();
    }
    ReportTally noting = Objects.requireNonNull(ballot.noting);
    for (ServerId server : core.everyone.minus(noting.reporters()).minus(ballot.absent)) {
      send(server, ballot.note(object.name, noting, server));
    }
    restore(object, ballot);
  }

  /**
   * Whether there was time for others to take note of the last loss. A liar that loses its memory
   * again and again, or says so, must not keep those out that lost theirs once.
   */
  private boolean isNotedByNow(Ballot ballot) {
    return now().nanos() - ballot.notingSinceNanos >= 2 * core.timing.retryNanos();
  }

  /** A server may have taken note of losses. False if that was not what it was asked for. */
  boolean hasNoted(ServerId from, ClientObject<?> object, Ballot ballot, Report report) {
    ReportTally noting = ballot.noting;
    if (noting == null || !noting.awaits(from, report.nonce())) {
      return false;
    }
    for (ServerId server : noting.take(from, report, false)) {
      noting.askAgain(server, core.entropy.nextLong());
      send(server, ballot.note(object.name, noting, server));
    }
    restore(object, ballot);
    return true;
  }

  /**
   * Brings those up to date that have lost their memory, once something was chosen without them,
   * and so many others have taken note of the loss that whoever still counts what was said before
   * it hears of it.
   */
  void restore(ClientObject<?> object, Ballot ballot) {
    for (MemoryEpoch lost : ballot.lost) {
      ServerId server = lost.server();
      if (ballot.noting == null
          || !ballot.absent.contains(server)
          || !core.thresholds.isQuorum(ballot.noting.thatNoted(lost))
          || !ballot.isChosenWithout(server, core.thresholds)) {
        continue;
      }
      List<MemoryEpoch> others = lostBeside(server, ballot.noting);
      ServerSet heard = ballot.noting.reporters().union(ballot.absent);
      // A liar may tell of losses that never were: those of whom it does are heard first.
      if (now().nanos() - ballot.notingSinceNanos < core.timing.retryNanos()
          && others.stream().anyMatch(told -> !heard.contains(told.server()))) {
        continue;
      }
      ballot.absent = ballot.absent.without(server);
      send(server, new Restore(object.name, ballot.rank, ballot.rankSeal, lost.epoch(), others));
      // It will say what it is missing.
      ProposalSender.messages(object, ballot, List.of(), Optional.ofNullable(object.lastCommit))
          .forEach(propose -> send(server, propose));
    }
  }

  private List<MemoryEpoch> lostBeside(ServerId server, ReportTally noting) {
    ServerSet others = core.everyone.without(server);
    return noting.lost().stream().filter(told -> others.contains(told.server())).toList();
  }

  /** A server is not absent: it has accepted something in this ballot. */
  void isUpToDate(ServerId from, ClientObject<?> object, Ballot ballot, Stage stage) {
    ballot.absent = ballot.absent.without(from);
    if (stage == Stage.PROPOSED) {
      ballot.upToDate = ballot.upToDate.with(from);
      endRestoring(object, ballot);
    }
  }

  /** Answers who waits for a server to be up to date, when something is chosen and it has that. */
  void endRestoring(ClientObject<?> object, Ballot ballot) {
    ClientObject.Restoring waiting = object.restoring;
    if (waiting != null && ballot.wasWarm && ballot.upToDate.contains(waiting.server())) {
      object.restoring = null;
      core.endCall(object, waiting.call());
      complete(waiting.call(), true);
    }
  }

  /** Tells servers what was chosen, so that submitters and readers hear of it. */
  void publish(ClientObject<?> object) {
    Ballot ballot = object.ballot;
    if (!object.isPublished && object.lastCommit != null && ballot != null) {
      sendAll(ballot.asked, new Commit(object.name, object.lastCommit, ballot.rankSeal));
      object.isPublished = true;
    }
  }

  static StateId wantedBy(Ballot ballot) {
    return Objects.requireNonNull(ballot.choice).from().orElseThrow();
  }

  void endBallot(ClientObject<?> object) {
    if (object.ballot != null) {
      object.readers.addAll(object.ballot.readers);
      object.ballot.flight.forEach(proposal -> object.readers.addAll(proposal.readers));
      object.turn.introduced = object.turn.introduced.union(object.ballot.reached);
    }
    object.ballot = null;
    object.forgetSnapshot();
    cancelTimer(new Tick(object.name));
  }

  /** Those whose reports are here; from some of them we still want what they told of. */
  ServerSet answeredGet(ClientObject<?> object, Ballot ballot) {
    ServerSet answered = ballot.busy;
    for (Map.Entry<ServerId, Report> report : ballot.tally.byServer().entrySet()) {
      if (!ballot.counts(core.mode, object.history, report.getValue())) {
        StateId wanted = report.getValue().proposed().orElseThrow().state();
        send(report.getKey(), object.fetch(wanted));
      }
      answered = answered.with(report.getKey());
    }
    return answered.equals(core.everyone) ? ServerSet.none() : answered;
  }

  /** Nobody waits for a commit: it may ride on a proposal that comes soon. */
  void publishSoon(ClientObject<?> object) {
    if (!object.isPublished) {
      setTimer(new Tick(object.name), core.timing.lingerNanos());
    }
  }

  /**
   * Tells servers that we do not order any more, or never came to it: whoever waits may. The ballot
   * may still rest, and go on if nobody else has come.
   */
  void endTenure(ClientObject<?> object, Ballot ballot) {
    sendAll(ballot.reached, new EndTenure(object.name, ballot.rank));
  }

  /**
   * What we want cannot be stored there. If so many say so that the others are no quorum, who waits
   * is told; we try on, since room may be made.
   */
  private void lacksRoom(ClientObject<?> object, ServerId from, Busy.Lack lack) {
    object.noRoom.put(from, lack);
    ServerSet full = ServerSet.of(object.noRoom.keySet().toArray(new ServerId[0]));
    if (core.thresholds.isBlockedBy(full)) {
      for (OwnOperation mine : object.work.own().values()) {
        if (mine.wanted) {
          mine.wanted = false;
          core.endCall(object, mine.call);
          fail(mine.call, ClientCore.unknownOutcome(object, mine.operation.id()));
        }
      }
      object.noRoom.clear(); // Who asks next is told anew, or has room.
    }
  }

  /** Another ballot is at work: it does our operations, too, if they are submitted. */
  private void onBusy(ServerId from, Busy busy) {
    ClientObject<?> object = core.objects.get(busy.object());
    Ballot ballot = object == null ? null : object.ballot;
    if (object != null && busy.lack() != Busy.Lack.NOTHING) {
      lacksRoom(object, from, busy.lack());
      return;
    }
    if (object == null
        || ballot == null
        || !ballot.isCourteous
        || ballot.phase != Phase.GETTING
        || !ballot.rank.equals(busy.asked())) {
      return;
    }
    busy.holder().ifPresent(object.turn::hear);
    ballot.busy = ballot.busy.with(from);
    isBusy.accept(object, ballot);
  }
}
