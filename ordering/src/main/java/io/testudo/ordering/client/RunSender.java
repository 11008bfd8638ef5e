package io.testudo.ordering.client;

import io.testudo.ordering.client.Run.Phase;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.Accepted.Stage;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Missing;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Rebase;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of the client half that sends what a run asks of servers, and helps those that lag
 * behind or have lost their memory.
 */
final class RunSender extends Part<ServerId> {
  /** Rings when servers are asked again, a commit is due, or a run begins anew. */
  record Tick(String object) implements TimerKey {}

  private final ClientCore core;
  private final TurnTaker turns;

  RunSender(ClientCore core, TurnTaker turns) {
    super(core);
    this.core = core;
    this.turns = turns;
    onMessage(Missing.class, this::onMissing);
    onMessage(Absent.class, this::onAbsent);
    onMessage(Busy.class, this::onBusy);
  }

  /** Sends what the present phase asks of servers. */
  void sendPhase(ClientObject<?> object, Run run, ServerSet servers) {
    switch (run.phase) {
      case GETTING -> {
        ServerId informant = core.pick(servers);
        for (ServerId server : servers) {
          Optional<StateId> known =
              server.equals(informant) ? object.known(object.tipState()) : Optional.empty();
          send(server, run.get(object.name, server, known));
        }
      }
      case FETCHING -> {
        sendAll(servers, object.fetch(wantedBy(run)));
      }
      case PROPOSING -> {
        List<Entry> entries =
            object.history.path(object.chosenState(), run.statement().state()).orElse(List.of());
        Optional<Statement> commit =
            object.isPublished ? Optional.empty() : Optional.ofNullable(object.lastCommit);
        proposals(object, run, entries, commit).forEach(propose -> sendAll(servers, propose));
      }
      case COMMITTING -> {
        boolean isLast = !object.hasForeignWork() && object.work.own().size() <= run.batch;
        sendAll(servers, new Commit(object.name, run.statement(), run.rankSeal, isLast));
      }
      case CONFIRMING ->
          sendAll(
              servers,
              new Get(
                  object.name, run.confirmation, run.rank, run.rankSeal, Optional.empty(), false));
      case WARM -> {}
    }
  }

  /** What carries entries that may be too long for one message; the last one completes it. */
  private static List<Propose> proposals(
      ClientObject<?> object, Run run, List<Entry> entries, Optional<Statement> commit) {
    List<Propose> proposals = new ArrayList<>();
    for (List<Entry> some : Entries.chunks(entries)) {
      proposals.add(new Propose(object.name, run.statement(), run.rankSeal, some, commit));
    }
    return proposals;
  }

  private void onMissing(ServerId from, Missing missing) {
    ClientObject<?> object = core.objects.get(missing.object());
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
    proposals(object, run, entries, Optional.empty()).forEach(propose -> send(from, propose));
    if (run.phase == Phase.COMMITTING) {
      send(from, new Commit(object.name, run.statement, run.rankSeal, false));
    }
  }

  private void onAbsent(ServerId from, Absent absent) {
    ClientObject<?> object = core.objects.get(absent.object());
    Run run = object == null ? null : object.run;
    if (object == null || run == null || !run.rank.equals(absent.asked())) {
      return;
    }
    run.absent = run.absent.with(from);
    if (run.helped.contains(from)) {
      return;
    }
    run.helped = run.helped.with(from);
    // One that lost its memory once more within a run has to wait for the next one.
    if (run.lost.stream().noneMatch(it -> it.server().equals(from))) {
      run.lost.add(new MemoryEpoch(from, absent.epoch()));
      run.noting = new ReportTally(core.entropy.nextLong());
      run.notingSinceNanos = now().nanos();
    }
    ReportTally noting = Objects.requireNonNull(run.noting);
    for (ServerId server : core.everyone.minus(noting.reporters()).minus(run.absent)) {
      send(server, run.note(object.name, noting, server));
    }
    restore(object, run);
  }

  /** A server may have taken note of losses. False if that was not what it was asked for. */
  boolean hasNoted(ServerId from, ClientObject<?> object, Run run, Report report) {
    ReportTally noting = run.noting;
    if (noting == null || !noting.awaits(from, report.nonce())) {
      return false;
    }
    for (ServerId server : noting.take(from, report, false)) {
      noting.askAgain(server, core.entropy.nextLong());
      send(server, run.note(object.name, noting, server));
    }
    restore(object, run);
    return true;
  }

  /**
   * Brings those up to date that have lost their memory, once something was chosen without them,
   * and so many others have taken note of the loss that whoever still counts what was said before
   * it hears of it.
   */
  void restore(ClientObject<?> object, Run run) {
    for (MemoryEpoch lost : run.lost) {
      ServerId server = lost.server();
      if (run.noting == null
          || !run.absent.contains(server)
          || run.noting.thatNoted(lost) < core.thresholds.quorum()
          || run.chosenBy.without(server).size() < core.thresholds.quorum()) {
        continue;
      }
      List<MemoryEpoch> others = lostBeside(server, run.noting);
      ServerSet heard = run.noting.reporters().union(run.absent);
      // A liar may tell of losses that never were: those of whom it does are heard first.
      if (now().nanos() - run.notingSinceNanos < core.timing.retryNanos()
          && others.stream().anyMatch(told -> !heard.contains(told.server()))) {
        continue;
      }
      run.absent = run.absent.without(server);
      send(server, new Restore(object.name, run.rank, run.rankSeal, lost.epoch(), others));
      // It will say what it is missing.
      proposals(object, run, List.of(), Optional.ofNullable(object.lastCommit))
          .forEach(propose -> send(server, propose));
    }
  }

  private List<MemoryEpoch> lostBeside(ServerId server, ReportTally noting) {
    ServerSet others = core.everyone.without(server);
    return noting.lost().stream().filter(told -> others.contains(told.server())).toList();
  }

  /** A server is not absent: it has accepted something in this run. */
  void isUpToDate(ServerId from, ClientObject<?> object, Run run, Stage stage) {
    run.absent = run.absent.without(from);
    if (stage == Stage.PROPOSED) {
      run.upToDate = run.upToDate.with(from);
      endRestoring(object, run);
    }
  }

  /** Answers who waits for a server to be up to date, when something is chosen and it has that. */
  void endRestoring(ClientObject<?> object, Run run) {
    ClientObject.Restoring waiting = object.restoring;
    if (waiting != null && run.wasWarm && run.upToDate.contains(waiting.server())) {
      object.restoring = null;
      core.endCall(object, waiting.call());
      complete(waiting.call(), true);
    }
  }

  /** Tells servers what was chosen and that nothing follows, so that submitters hear of it. */
  void publish(ClientObject<?> object) {
    Run run = object.run;
    if (!object.isPublished && object.lastCommit != null && run != null) {
      sendAll(core.everyone, new Commit(object.name, object.lastCommit, run.rankSeal, true));
      object.isPublished = true;
    }
  }

  static StateId wantedBy(Run run) {
    return Objects.requireNonNull(run.choice).from().orElseThrow();
  }

  void endRun(ClientObject<?> object) {
    if (object.run != null) {
      object.readers.addAll(object.run.readers);
    }
    object.run = null;
    object.forgetBase();
    cancelTimer(new Tick(object.name));
  }

  /** Those whose reports are here; from some of them we still want what they told of. */
  ServerSet answeredGet(ClientObject<?> object, Run run) {
    ServerSet answered = run.busy;
    for (Map.Entry<ServerId, Report> report : run.tally.byServer().entrySet()) {
      if (!run.counts(core.mode, object.history, report.getValue())) {
        StateId wanted = report.getValue().proposed().orElseThrow().state();
        send(report.getKey(), object.fetch(wanted));
      }
      answered = answered.with(report.getKey());
    }
    return answered.equals(core.everyone) ? ServerSet.none() : answered;
  }

  /**
   * Nobody but us may wait for the results: then there is no hurry, and the commit may ride on a
   * proposal that comes soon.
   */
  void publishSoon(ClientObject<?> object, Run run) {
    if (run.servesOthers || !core.mode.sealsStatements()) {
      publish(object);
    } else if (!object.isPublished) {
      setTimer(new Tick(object.name), core.timing.lingerNanos());
    }
  }

  /**
   * What we want cannot be stored there. If so many say so that the others are no quorum, who waits
   * is told; we try on, since room may be made.
   */
  private void lacksRoom(ClientObject<?> object, ServerId from, Busy.Lack lack) {
    object.noRoom.put(from, lack);
    if (object.noRoom.size() >= core.thresholds.blocking()) {
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

  /** Another run is at work: it does our operations, too, if they are submitted. */
  private void onBusy(ServerId from, Busy busy) {
    ClientObject<?> object = core.objects.get(busy.object());
    Run run = object == null ? null : object.run;
    if (object != null && busy.lack() != Busy.Lack.NOTHING) {
      lacksRoom(object, from, busy.lack());
      return;
    }
    if (object == null
        || run == null
        || !run.isCourteous
        || run.phase != Phase.GETTING
        || !run.rank.equals(busy.asked())) {
      return;
    }
    run.busy = run.busy.with(from);
    if (run.busy.union(run.refused).size() >= core.thresholds.blocking()) {
      endRun(object);
      turns.follow(object);
    }
  }
}
