package io.testudo.ordering.protocol;

import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client half. It submits its operations to the servers, and orders them itself: it learns from
 * a quorum from which state to go on, applies what is pending, and has a quorum store the result.
 * Safe whatever the timing and whoever else does the same; one client at a time makes progress.
 */
public final class OrderingClient extends Orderer {
  private record ReadTick(String object) implements TimerKey {}

  /** More operations in progress have no room. */
  public static final int MAX_OPERATIONS = 65_536;

  /** Makes a client half that takes turns without a lock. */
  public OrderingClient(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy) {
    this(thresholds, mode, timing, session, seals, entropy, null);
  }

  /**
   * Makes a client half.
   *
   * @param mode its need is that of the thresholds
   * @param session of this process, as the servers know it
   * @param lock the client half of a lock protocol, by which orderers take turns
   */
  public OrderingClient(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy,
      @Nullable Machine<ServerId> lock) {
    super(thresholds, mode, timing, session, seals, entropy, lock);
    onCall(SubmitOperation.class, this::onSubmit);
    onCall(ReadObject.class, this::onRead);
    onMessage(Report.class, this::onAnyReport);
    onMessage(Bodies.class, this::onAnyBodies);
    onMessage(Answered.class, this::onAnswered);
    onTimer(Overdue.class, this::onOverdue);
    onTimer(ReadTick.class, this::onReadTick);
  }

  private void onSubmit(CallId<OperationResult> call, SubmitOperation submit) {
    if (objectOfCall.size() >= MAX_OPERATIONS) {
      fail(call, new OverloadedException("operations in progress", MAX_OPERATIONS));
      return;
    }
    ClientObject<?> object = object(submit.object(), submit.model());
    OpId id = object.work.nextId(session);
    Operation bare = new Operation(id, object.work.floor(), submit.operation(), Optional.empty());
    Operation operation = mode.sealsStatements() ? seals.seal(object.name, bare) : bare;
    OwnOperation mine = new OwnOperation(operation, call, thresholds.servers());
    object.work.own().put(id, mine);
    objectOfCall.put(call.number(), object.name);
    setTimer(new Overdue(object.name, call.number()), submit.timeoutNanos());
    if (object.run == null && object.turn.waits()) {
      submitWaiting(object, mine);
    }
    goOn(object);
  }

  private void onRead(CallId<ReadResult> call, ReadObject read) {
    ClientObject<?> object = object(read.object(), read.model());
    objectOfCall.put(call.number(), object.name);
    setTimer(new Overdue(object.name, call.number()), read.timeoutNanos());
    if (object.run != null) {
      object.readers.add(call); // An orderer confirms its own state in one round trip.
      goOn(object);
    } else {
      object.newReaders.add(call);
      beginFastRead(object);
    }
  }

  private void beginFastRead(ClientObject<?> object) {
    if (object.fastRead != null || object.newReaders.isEmpty()) {
      return;
    }
    beginFastRead(object, object.newReaders, 1);
    object.newReaders.clear();
  }

  private void beginFastRead(
      ClientObject<?> object, List<CallId<ReadResult>> readers, int attempt) {
    FastRead read = new FastRead(entropy.nextLong(), now().nanos(), readers, attempt);
    object.fastRead = read;
    ask(object, read, everyone);
  }

  private void ask(ClientObject<?> object, FastRead read, ServerSet servers) {
    ServerId informant = pick(servers);
    for (ServerId server : servers) {
      Optional<StateId> known =
          server.equals(informant) ? Optional.of(object.chosenState()) : Optional.empty();
      send(server, new Get(object.name, read.nonce, Rank.NONE, Optional.empty(), known, false));
    }
    setTimer(new ReadTick(object.name), timing.retryNanos());
  }

  private void onAnyReport(ServerId from, Report report) {
    ClientObject<?> object = objects.get(report.object());
    FastRead read = object == null ? null : object.fastRead;
    if (object == null || read == null || read.nonce != report.nonce()) {
      onReport(from, report);
      return;
    }
    if (!isPlausible(object, report)) {
      tell(new Suspicion(from, "shows a statement with a forged seal"));
      return;
    }
    report.entries().forEach(object.history::add);
    if (read.settled != null || read.reports.putIfAbsent(from, report) != null) {
      return;
    }
    if (read.reports.size() >= thresholds.quorum()) {
      List<Choice.Told> told =
          read.reports.values().stream()
              .map(said -> new Choice.Told(said.proposed(), said.committed()))
              .toList();
      Optional<StateId> settled = Choice.settled(mode, thresholds, object.name, told);
      if (settled.isPresent()) {
        read.settled = settled.get();
        endFastReadIfSettled(object, read);
        fetchIfStillThere(object, read);
      } else if (read.attempt < FastRead.MAX_ATTEMPTS) {
        // Somebody is ordering; between two of its proposals there are moments of rest.
        endFastRead(object);
        beginFastRead(object, read.readers, read.attempt + 1);
      } else {
        readByOrdering(object, read);
      }
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
    answer(object, read.readers);
    beginFastRead(object);
  }

  /** Only now and then, not with each answer: liars answer as often as they like. */
  private void fetchIfStillThere(ClientObject<?> object, FastRead read) {
    if (object.fastRead == read && read.settled != null) {
      sendAll(everyone, object.fetch(read.settled));
    }
  }

  private void endFastRead(ClientObject<?> object) {
    object.fastRead = null;
    cancelTimer(new ReadTick(object.name));
  }

  /** Somebody is ordering, or too few answer: the slow way. */
  private void readByOrdering(ClientObject<?> object, FastRead read) {
    endFastRead(object);
    object.readers.addAll(read.readers);
    object.turn.follows = false; // Nobody else can do that for us.
    goOn(object);
    beginFastRead(object);
  }

  private void onReadTick(ReadTick tick) {
    ClientObject<?> object = objects.get(tick.object());
    FastRead read = object == null ? null : object.fastRead;
    if (object == null || read == null) {
      return;
    }
    if (now().nanos() - read.begunNanos >= timing.runNanos()) {
      readByOrdering(object, read);
    } else if (read.settled != null) {
      fetchIfStillThere(object, read);
      setTimer(tick, timing.retryNanos());
    } else {
      ServerSet heard = ServerSet.none();
      for (ServerId server : read.reports.keySet()) {
        heard = heard.with(server);
      }
      ask(object, read, everyone.minus(heard));
    }
  }

  private void onAnyBodies(ServerId from, Bodies bodies) {
    onBodies(from, bodies);
    ClientObject<?> object = objects.get(bodies.object());
    if (object != null && object.fastRead != null) {
      endFastReadIfSettled(object, object.fastRead);
    }
  }

  private void onAnswered(ServerId from, Answered answered) {
    ClientObject<?> object = objects.get(answered.object());
    OwnOperation mine = object == null ? null : object.work.own().get(answered.id());
    if (object == null || mine == null || answered.result().isEmpty()) {
      return;
    }
    mine.answers.add(from, answered);
    if (mine.answers.count(answered) > thresholds.faults()) {
      complete(
          object,
          mine,
          new Sessions.Outcome(answered.version(), answered.result(), answered.refused()));
      if (object.run == null) {
        goOn(object);
      }
    }
  }

  private void onOverdue(Overdue overdue) {
    ClientObject<?> object = objects.get(overdue.object());
    if (object == null || objectOfCall.remove(overdue.call()) == null) {
      return;
    }
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      readers.removeIf(reader -> failIfOverdue(reader, overdue, Outcome.DID_NOT_HAPPEN));
    }
    for (OwnOperation mine : object.work.own().values()) {
      if (failIfOverdue(mine.call, overdue, Outcome.UNKNOWN)) {
        mine.wanted = false;
      }
    }
  }

  private boolean failIfOverdue(CallId<?> call, Overdue overdue, Outcome outcome) {
    if (call.number() != overdue.call()) {
      return false;
    }
    fail(
        call,
        new NoQuorumException(
            ServerSet.none(), thresholds.servers(), thresholds.quorum(), outcome));
    return true;
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    String name = objectOfCall.remove(call.number());
    ClientObject<?> object = name == null ? null : objects.get(name);
    if (object == null) {
      return;
    }
    cancelTimer(new Overdue(object.name, call.number()));
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      readers.removeIf(reader -> reader.number() == call.number());
    }
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.call.number() == call.number()) {
        mine.wanted = false; // It may still happen.
      }
    }
  }
}
