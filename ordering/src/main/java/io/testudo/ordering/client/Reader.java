package io.testudo.ordering.client;

import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The part of the client machine that reads, if possible without taking part in the ordering. */
final class Reader extends Part<ServerId> {
  private record ReadTick(String object) implements TimerKey {}

  private final ClientCore core;
  private final TurnTaker turns;
  private final Orderer orderer;

  Reader(ClientCore core, TurnTaker turns, Orderer orderer) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.orderer = orderer;
    onMessage(Report.class, this::onUncheckedReport);
    onMessage(Bodies.class, this::onAnyBodies);
    onTimer(ReadTick.class, this::onReadTick);
  }

  /** Reads what contains everything that was done before. */
  void read(ClientObject<?> object, CallId<ReadResult> call) {
    if (object.ballot != null) {
      object.readers.add(call); // An orderer confirms its own state in one round trip.
      orderer.goOn(object);
    } else {
      object.newReaders.add(call);
      beginFastRead(object);
    }
  }

  /** Reads what was published. */
  void peek(ClientObject<?> object, CallId<ReadResult> call) {
    object.newPeekers.add(call);
    beginFastRead(object);
  }

  private void beginFastRead(ClientObject<?> object) {
    if (object.fastRead != null || (object.newReaders.isEmpty() && object.newPeekers.isEmpty())) {
      return;
    }
    FastRead unused = beginFastRead(object, object.newReaders, object.newPeekers, 1);
    object.newReaders.clear();
    object.newPeekers.clear();
  }

  private FastRead beginFastRead(
      ClientObject<?> object,
      List<CallId<ReadResult>> readers,
      List<CallId<ReadResult>> peekers,
      int attempt) {
    ServerSet asked =
        attempt <= FastRead.ATTEMPTS_AT_A_QUORUM ? core.askedFirst(object) : core.everyone;
    FastRead read =
        new FastRead(core.entropy.nextLong(), now().nanos(), readers, peekers, attempt, asked);
    object.fastRead = read;
    ask(object, read, asked);
    return read;
  }

  private void ask(ClientObject<?> object, FastRead read, ServerSet servers) {
    ServerId informant = core.pick(servers);
    for (ServerId server : servers) {
      Optional<StateId> known =
          server.equals(informant) ? object.known(object.chosenState()) : Optional.empty();
      ask(object, read, server, known);
    }
    setTimer(new ReadTick(object.name), core.untilLateNanos(read.asked));
  }

  private void ask(
      ClientObject<?> object, FastRead read, ServerId server, Optional<StateId> known) {
    long nonce = read.tally.nonceFor(server);
    send(server, new Get(object.name, nonce, Rank.NONE, Optional.empty(), known, false));
  }

  /** What we cannot check waits until so many servers show it that one of them is correct. */
  private void onUncheckedReport(ServerId from, Report report) {
    ClientObject<?> object = core.objects.get(report.object());
    if (object == null || !core.mode.sealsStatements()) {
      onAnyReport(from, report);
      return;
    }
    object.unproven.show(from, report);
    if (core.isUnproven(object, report)) {
      object.unproven.hold(from, report);
    } else {
      onAnyReport(from, report);
    }
    object
        .unproven
        .release(held -> !core.isUnproven(object, held))
        .forEach(one -> onAnyReport(one.from(), one.report()));
  }

  private void onAnyReport(ServerId from, Report report) {
    ClientObject<?> object = core.objects.get(report.object());
    FastRead read = object == null ? null : object.fastRead;
    // A server reports once to a question, or a liar could fill our memory.
    if (object == null || read == null || !read.tally.awaits(from, report.nonce())) {
      orderer.onReport(from, report);
      return;
    }
    if (!core.isPlausible(object, from, report)) {
      tell(new Suspicion(from, "shows a statement with a forged seal"));
      return;
    }
    for (ServerId server : read.tally.take(from, report, read.settled != null)) {
      read.tally.askAgain(server, core.entropy.nextLong());
      ask(object, read, server, Optional.empty());
    }
    report.entries().forEach(object.history::add);
    if (read.settled != null) {
      endFastReadIfSettled(object, read);
      return;
    }
    int heard = read.tally.reports().size();
    if (core.thresholds.isQuorum(read.tally.reporters())) {
      List<Choice.Told> told = read.tally.told();
      Optional<StateId> settled =
          Choice.settled(core.mode, core.thresholds, object.name, told)
              .or(() -> reached(object, read, told));
      if (settled.isEmpty() && read.peekers.isEmpty()) {
        // Those that are slower may show that nobody is at work any more.
        if (read.attempt < FastRead.MAX_ATTEMPTS || heard == core.thresholds.servers()) {
          readOnceMore(object, read, told);
        }
        return;
      }
      read.settled =
          settled.orElseGet(() -> Choice.published(core.mode, core.thresholds, object.name, told));
      if (settled.isEmpty()) {
        object.newReaders.addAll(read.readers);
        read.readers.clear();
      }
      endFastReadIfSettled(object, read);
      fetchIfStillThere(object, read);
    }
  }

  /**
   * What was under way when the read began, or what came after it, is chosen by now: whoever is
   * ordering need not rest for that. If its body is not here, an older one will do that is.
   */
  private Optional<StateId> reached(ClientObject<?> object, FastRead read, List<Choice.Told> told) {
    Choice.Target target = read.target;
    if (target == null) {
      return Optional.empty();
    }
    Optional<StateId> newest = Choice.reached(core.mode, core.thresholds, told, target);
    if (newest.isEmpty() || !core.mode.sealsStatements()) {
      return newest;
    }
    return told.stream()
        .flatMap(one -> one.proposed().stream())
        .filter(said -> said.rank().equals(target.rank()))
        .map(Statement::state)
        .filter(state -> state.version() >= target.version())
        .filter(state -> state.version() <= newest.get().version())
        .filter(object.history::holds)
        .max(Comparator.comparingLong(StateId::version))
        .or(() -> newest);
  }

  /** Somebody is ordering: what it had under way is chosen soon. */
  private void readOnceMore(ClientObject<?> object, FastRead read, List<Choice.Told> told) {
    if (read.attempt < FastRead.MAX_ATTEMPTS) {
      endFastRead(object);
      FastRead next = beginFastRead(object, read.readers, read.peekers, read.attempt + 1);
      Choice.Target now = Choice.target(core.mode, core.thresholds, told);
      next.target =
          read.target != null && read.target.rank().equals(now.rank()) ? read.target : now;
    } else {
      readByOrdering(object, read);
    }
  }

  private void endFastReadIfSettled(ClientObject<?> object, FastRead read) {
    StateId settled = read.settled;
    if (settled == null) {
      return;
    }
    if (!object.settle(settled)) {
      return;
    }
    endFastRead(object);
    core.settleOwn(object);
    core.answer(object, read.readers);
    core.answer(object, read.peekers);
    orderer.endIfOvertaken(object);
    beginFastRead(object);
  }

  /** Only now and then, not with each answer: liars answer as often as they like. */
  private void fetchIfStillThere(ClientObject<?> object, FastRead read) {
    if (object.fastRead == read && read.settled != null) {
      sendAll(read.asked, object.fetch(read.settled));
    }
  }

  void endFastRead(ClientObject<?> object) {
    object.fastRead = null;
    cancelTimer(new ReadTick(object.name));
  }

  /** Somebody is ordering, or too few answer: the slow way, if that is open to us. */
  private void readByOrdering(ClientObject<?> object, FastRead read) {
    endFastRead(object);
    if (!turns.mayOrder(object)) {
      readAgain(object, read.readers, read.peekers);
      return;
    }
    object.readers.addAll(read.readers);
    object.newPeekers.addAll(read.peekers);
    object.turn.follows = false; // Nobody else can do that for us.
    orderer.goOn(object);
    beginFastRead(object);
  }

  /** Asks anew: whoever orders now has what was to be read. */
  void readNow(ClientObject<?> object, List<CallId<ReadResult>> readers) {
    object.newReaders.addAll(readers);
    beginFastRead(object);
  }

  /** Asks anew after a while: whoever orders may have finished then. */
  private void readAgain(
      ClientObject<?> object, List<CallId<ReadResult>> readers, List<CallId<ReadResult>> peekers) {
    object.newReaders.addAll(readers);
    object.newPeekers.addAll(peekers);
    setTimer(new ReadTick(object.name), 1 + core.entropy.nextLong(core.retryNanos()));
  }

  private void onReadTick(ReadTick tick) {
    ClientObject<?> object = core.objects.get(tick.object());
    if (object == null) {
      return;
    }
    FastRead read = object.fastRead;
    if (read == null) {
      beginFastRead(object);
      return;
    }
    boolean waitedForAll =
        read.settled == null
            && read.attempt == FastRead.MAX_ATTEMPTS
            && core.thresholds.isQuorum(read.tally.reporters());
    if (read.settled == null && !read.asked.equals(core.everyone)) {
      core.areLate(read.asked.minus(read.tally.reporters()));
    }
    read.asked = core.everyone;
    if (waitedForAll || now().nanos() - read.begunNanos >= core.timing.ballotNanos()) {
      readByOrdering(object, read);
    } else if (read.settled != null) {
      fetchIfStillThere(object, read);
      setTimer(tick, core.retryNanos());
    } else {
      ask(object, read, core.everyone.minus(read.tally.reporters()));
    }
  }

  private void onAnyBodies(ServerId from, Bodies bodies) {
    orderer.onBodies(from, bodies);
    ClientObject<?> object = core.objects.get(bodies.object());
    if (object != null && object.fastRead != null) {
      endFastReadIfSettled(object, object.fastRead);
    }
  }
}
