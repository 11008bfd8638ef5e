package io.testudo.ordering.protocol;

import io.testudo.ordering.NotAllowedException;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.cluster.Right;
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
    onCall(PeekObject.class, this::onPeek);
    onCall(AskOperation.class, this::onAsk);
    onMessage(Report.class, this::onAnyReport);
    onMessage(Bodies.class, this::onAnyBodies);
    onMessage(Answered.class, this::onAnswered);
    onMessage(NoRight.class, this::onNoRight);
    onTimer(Overdue.class, this::onOverdue);
    onTimer(ReadTick.class, this::onReadTick);
  }

  private void onSubmit(CallId<OperationResult> call, SubmitOperation submit) {
    ClientObject<?> object = object(submit.object(), submit.model());
    if (!mayOrder()) {
      fail(call, new NotAllowedException(object.name, Right.SUBMIT, Outcome.DID_NOT_HAPPEN));
      return;
    }
    // Those that nobody waits for any more are still in progress.
    if (objectOfCall.size() >= MAX_OPERATIONS || object.work.own().size() >= MAX_OPERATIONS) {
      fail(call, new OverloadedException("operations in progress", MAX_OPERATIONS));
      return;
    }
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

  /** False if we lack the key: then we can only read what others have finished. */
  private boolean mayOrder() {
    return !mode.sealsRanks() || seals.canSeal();
  }

  private boolean begins(CallId<?> call, ClientObject<?> object, long timeoutNanos) {
    if (objectOfCall.size() >= MAX_OPERATIONS) {
      fail(call, new OverloadedException("calls in progress", MAX_OPERATIONS));
      return false;
    }
    objectOfCall.put(call.number(), object.name);
    setTimer(new Overdue(object.name, call.number()), timeoutNanos);
    return true;
  }

  private void onRead(CallId<ReadResult> call, ReadObject read) {
    ClientObject<?> object = object(read.object(), read.model());
    if (begins(call, object, read.timeoutNanos())) {
      read(object, call);
    }
  }

  private void onPeek(CallId<ReadResult> call, PeekObject peek) {
    ClientObject<?> object = object(peek.object(), peek.model());
    if (begins(call, object, peek.timeoutNanos())) {
      object.newPeekers.add(call);
      beginFastRead(object);
    }
  }

  private void onAsk(CallId<OperationFate> call, AskOperation ask) {
    ClientObject<?> object = object(ask.object(), ask.model());
    Sessions.Outcome late = object.late.get(ask.id());
    OwnOperation mine = object.work.own().get(ask.id());
    if (late != null) {
      complete(call, OperationFate.of(ask.id(), late));
    } else if (begins(call, object, ask.timeoutNanos())) {
      if (mine != null) {
        mine.askers.add(call);
      } else {
        object.questions.put(call.number(), ask.id());
        read(object, new CallId<>(call.number()));
      }
    }
  }

  private void read(ClientObject<?> object, CallId<ReadResult> call) {
    if (object.run != null) {
      object.readers.add(call); // An orderer confirms its own state in one round trip.
      goOn(object);
    } else {
      object.newReaders.add(call);
      beginFastRead(object);
    }
  }

  private void beginFastRead(ClientObject<?> object) {
    if (object.fastRead != null || (object.newReaders.isEmpty() && object.newPeekers.isEmpty())) {
      return;
    }
    beginFastRead(object, object.newReaders, object.newPeekers, 1);
    object.newReaders.clear();
    object.newPeekers.clear();
  }

  private void beginFastRead(
      ClientObject<?> object,
      List<CallId<ReadResult>> readers,
      List<CallId<ReadResult>> peekers,
      int attempt) {
    FastRead read = new FastRead(entropy.nextLong(), now().nanos(), readers, peekers, attempt);
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
      if (settled.isEmpty() && read.peekers.isEmpty()) {
        readOnceMore(object, read);
        return;
      }
      read.settled = settled.orElseGet(() -> Choice.published(mode, thresholds, object.name, told));
      if (settled.isEmpty()) {
        object.newReaders.addAll(read.readers);
        read.readers.clear();
      }
      endFastReadIfSettled(object, read);
      fetchIfStillThere(object, read);
    }
  }

  private void readOnceMore(ClientObject<?> object, FastRead read) {
    if (read.attempt < FastRead.MAX_ATTEMPTS) {
      // Somebody is ordering; between two of its proposals there are moments of rest.
      endFastRead(object);
      beginFastRead(object, read.readers, read.peekers, read.attempt + 1);
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
    answer(object, read.readers);
    answer(object, read.peekers);
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

  /** Somebody is ordering, or too few answer: the slow way, if that is open to us. */
  private void readByOrdering(ClientObject<?> object, FastRead read) {
    endFastRead(object);
    if (!mayOrder()) {
      readAgain(object, read.readers, read.peekers);
      return;
    }
    object.readers.addAll(read.readers);
    object.newPeekers.addAll(read.peekers);
    object.turn.follows = false; // Nobody else can do that for us.
    goOn(object);
    beginFastRead(object);
  }

  /** Asks anew after a while: whoever orders may have finished then. */
  private void readAgain(
      ClientObject<?> object, List<CallId<ReadResult>> readers, List<CallId<ReadResult>> peekers) {
    object.newReaders.addAll(readers);
    object.newPeekers.addAll(peekers);
    setTimer(new ReadTick(object.name), 1 + entropy.nextLong(timing.retryNanos()));
  }

  private void onReadTick(ReadTick tick) {
    ClientObject<?> object = objects.get(tick.object());
    if (object == null) {
      return;
    }
    FastRead read = object.fastRead;
    if (read == null) {
      beginFastRead(object);
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
    if (object == null || mine == null) {
      return;
    }
    mine.answers.add(from, answered);
    if (mine.answers.count(answered) > thresholds.faults()) {
      complete(object, mine, new Sessions.Outcome(answered.version(), answered.result()));
      if (object.run == null) {
        goOn(object);
      }
    }
  }

  /** One server's word is nothing: those that lie would end every call. */
  private void onNoRight(ServerId from, NoRight refusal) {
    ClientObject<?> object = objects.get(refusal.name());
    if (object == null) {
      return;
    }
    ServerSet refusing =
        object.refusals.merge(refusal.right(), ServerSet.of(from), ServerSet::union);
    if (refusing.size() <= thresholds.faults()) {
      return;
    }
    if (refusal.right() == Right.READ) {
      object.refusals.remove(Right.READ); // Rights may change: the next call asks again.
      failReaders(object, Right.READ);
    } else if (refusal.right() == Right.ORDER && !object.readers.isEmpty()) {
      List<CallId<ReadResult>> readers = List.copyOf(object.readers);
      object.readers.clear();
      readAgain(object, readers, List.of());
    }
    if (isRefused(object, Right.SUBMIT) && isRefused(object, Right.ORDER)) {
      object.refusals.clear();
      failOwn(object);
    }
  }

  private boolean isRefused(ClientObject<?> object, Right right) {
    return object.refusals.getOrDefault(right, ServerSet.none()).size() > thresholds.faults();
  }

  private void failReaders(ClientObject<?> object, Right right) {
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      for (CallId<ReadResult> reader : List.copyOf(readers)) {
        endCall(object, reader);
        object.questions.remove(reader.number());
        fail(reader, new NotAllowedException(object.name, right, Outcome.DID_NOT_HAPPEN));
      }
      readers.clear();
    }
    endFastRead(object);
  }

  /** Servers that do not refuse may have taken them: nobody knows whether they happen. */
  private void failOwn(ClientObject<?> object) {
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.wanted) {
        mine.wanted = false;
        endCall(object, mine.call);
        fail(mine.call, new NotAllowedException(object.name, Right.SUBMIT, Outcome.UNKNOWN));
      }
    }
  }

  private void onOverdue(Overdue overdue) {
    ClientObject<?> object = objects.get(overdue.object());
    if (object == null || objectOfCall.remove(overdue.call()) == null) {
      return;
    }
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      readers.removeIf(reader -> reader.number() == overdue.call());
    }
    OpId about = object.questions.remove(overdue.call());
    for (OwnOperation mine : object.work.own().values()) {
      boolean isAsker = mine.askers.removeIf(asker -> asker.number() == overdue.call());
      boolean isCaller = mine.call.number() == overdue.call();
      about = isAsker || isCaller ? mine.operation.id() : about;
      mine.wanted &= !isCaller; // It goes on: the operations that follow it need it.
    }
    fail(
        new CallId<>(overdue.call()),
        about != null
            ? new UnknownOutcomeException(object.name, about.toOperationId())
            : new NoQuorumException(
                heardBy(object),
                thresholds.servers(),
                thresholds.quorum(),
                Outcome.DID_NOT_HAPPEN));
  }

  /** Those that answered what is asked now. */
  private static ServerSet heardBy(ClientObject<?> object) {
    ServerSet heard = object.run == null ? ServerSet.none() : object.run.accepted;
    FastRead read = object.fastRead;
    for (ServerId server : read == null ? List.<ServerId>of() : read.reports.keySet()) {
      heard = heard.with(server);
    }
    return heard;
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
    object.questions.remove(call.number());
    for (OwnOperation mine : object.work.own().values()) {
      mine.askers.removeIf(asker -> asker.number() == call.number());
      if (mine.call.number() == call.number()) {
        mine.wanted = false; // It may still happen.
      }
    }
  }
}
