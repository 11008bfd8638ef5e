package io.testudo.ordering.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.testudo.crypto.Digest;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.quorum.Access;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Inner;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client machine. It submits its operations to the servers, and orders them itself: it learns
 * from a quorum from which state to go on, applies what is pending, and has a quorum store the
 * result. Safe whatever the timing and whoever else does the same; one client at a time makes
 * progress.
 */
public final class OrderingClient extends Machine<ServerId> {
  /** More operations in progress have no room. */
  public static final int MAX_OPERATIONS = 65_536;

  private final ClientCore core;
  private final TurnTaker turns;
  private final Orderer orderer;
  private final Reader reader;
  private final Restorer restorer;
  private final Expectations expectations;
  private final Notices notices;
  private final NameNotices names;

  /** Makes a client machine that takes turns without a lock. */
  public OrderingClient(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy) {
    this(thresholds, mode, timing, session, seals, entropy, null);
  }

  /** Makes a client machine that asks all servers. */
  public OrderingClient(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy,
      @Nullable Machine<ServerId> lock) {
    this(thresholds, Access.ALL, mode, timing, session, seals, entropy, lock, TurnsBy.RANK);
  }

  /**
   * Makes a client machine.
   *
   * @param access whom it asks first
   * @param mode its need is that of the thresholds
   * @param session of this process, as the servers know it
   * @param lock the client machine of a lock protocol, by which orderers take turns
   * @param turnsBy whether the lock decides who orders, or only where ranks do not
   */
  public OrderingClient(
      Thresholds thresholds,
      Access access,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy,
      @Nullable Machine<ServerId> lock,
      TurnsBy turnsBy) {
    this.core = new ClientCore(this, thresholds, access, mode, timing, session, seals, entropy);
    @Nullable Inner<ServerId> inner = lock == null ? null : adopt(lock, this::onLockEvent);
    this.turns = new TurnTaker(core, inner, turnsBy, this::goOn);
    this.orderer = new Orderer(core, turns, this::readAgain);
    this.reader = new Reader(core, turns, orderer);
    this.restorer = new Restorer(core, turns, orderer);
    this.notices = new Notices(core);
    this.names = new NameNotices(core);
    var unused = new RightRefusals(core, turns, orderer, reader, this::readAgain, names);
    this.expectations = new Expectations(core, notices);
    onCall(SubmitOperation.class, this::onSubmit);
    onCall(ReadObject.class, this::onRead);
    onCall(AskOperation.class, this::onAsk);
    onCall(RestoreObject.class, restorer::onRestoreObject);
    onCall(EndTenures.class, this::onEndTenures);
    onMessage(Answered.class, this::onAnswered);
    onMessage(Included.class, this::onIncluded);
    onMessage(Expired.class, this::onExpired);
    onTimer(ClientCore.Overdue.class, this::onOverdue);
  }

  private void onLockEvent(Event event) {
    turns.onLockEvent(event);
  }

  private void goOn(ClientObject<?> object) {
    orderer.goOn(object);
  }

  /** What servers made us keep, in bytes; about. */
  public long memoryBytes() {
    return core.memoryBytes();
  }

  /** Whether a report of this server would be counted now. */
  public boolean awaits(ServerId from, String name, long nonce) {
    return orderer.awaits(from, name, nonce);
  }

  /**
   * Whether there is work that nothing would bring on but somebody else's message: all of those may
   * be lost.
   */
  public boolean waitsInVain() {
    for (ClientObject<?> object : core.objects.values()) { // Asked after each simulated step.
      if (TurnTaker.waitsInVain(object)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a message of a server would be counted now, other than a report. */
  public boolean heeds(ServerId from, Message message) {
    return message instanceof PrefixChanges changes
        ? names.heeds(from, changes)
        : expectations.heeds(message);
  }

  /**
   * An object as of this type. One that was deleted may be of another type than before; numbers of
   * operations go on, since servers know our session. Null if it is in use as another type, and the
   * call was told so.
   */
  private @Nullable ClientObject<?> object(CallId<?> call, String name, ObjectModel<?> model) {
    ClientObject<?> before = core.objects.get(name);
    if (before == null || before.isOf(model)) {
      return core.object(name, model);
    }
    if (!before.isIdle()) {
      fail(
          call,
          new ObjectTypeException(
              name, "this client is using it as another type", 0, Outcome.DID_NOT_HAPPEN));
      return null;
    }
    orderer.leave(before);
    core.objects.remove(name);
    ClientObject<?> object = core.object(name, model);
    object.work.beginAbove(before.work.lastSequence());
    return object;
  }

  private void onSubmit(CallId<OperationResult> call, SubmitOperation submit) {
    ClientObject<?> object = object(call, submit.object(), submit.model());
    if (object == null) {
      return;
    }
    if (core.mode.sealsRanks() && !core.seals.canSeal(object.name, submit.operation())) {
      Right right = SubmittedOperation.rightTo(submit.operation());
      fail(call, new NotAllowedException(object.name, right, Outcome.DID_NOT_HAPPEN));
      return;
    }
    // Those that nobody waits for any more are still in progress.
    if (core.objectOfCall.size() >= MAX_OPERATIONS || object.work.own().size() >= MAX_OPERATIONS) {
      fail(call, new OverloadedException("operations in progress", MAX_OPERATIONS));
      return;
    }
    OpId id = object.nextId(core.session, MILLISECONDS.toMicros(now().wallMillis()));
    if (id == null) {
      fail(call, new OverloadedException("operations numbered", Integer.MAX_VALUE));
      return;
    }
    SubmittedOperation operation =
        new SubmittedOperation(id, object.work.floor(), submit.operation(), Optional.empty());
    OwnOperation mine = new OwnOperation(operation, call, core.thresholds.servers());
    object.work.own().put(id, mine);
    object.awaited.put(call.number(), mine);
    submit.access().ifPresent(first -> object.chosenAccess.put(call.number(), first));
    core.objectOfCall.put(call.number(), object.name);
    setTimer(new ClientCore.Overdue(object.name, call.number()), submit.timeoutNanos());
    if (object.ballot == null && object.turn.waits()) {
      turns.submitWaiting(object, mine);
    }
    orderer.goOn(object);
  }

  private void onEndTenures(CallId<Boolean> call, EndTenures end) {
    core.objects.values().forEach(orderer::leave);
    complete(call, true);
  }

  private boolean begins(
      CallId<?> call, ClientObject<?> object, Optional<Access> access, long timeoutNanos) {
    if (core.objectOfCall.size() >= MAX_OPERATIONS) {
      fail(call, new OverloadedException("calls in progress", MAX_OPERATIONS));
      return false;
    }
    if (!object.anybodyReads()) {
      object.refusals.remove(Right.READ); // They were told to others; rights may have changed.
    }
    access.ifPresent(first -> object.chosenAccess.put(call.number(), first));
    core.objectOfCall.put(call.number(), object.name);
    setTimer(new ClientCore.Overdue(object.name, call.number()), timeoutNanos);
    return true;
  }

  private void onRead(CallId<ReadResult> call, ReadObject read) {
    ClientObject<?> object = object(call, read.object(), read.model());
    if (object != null && begins(call, object, read.access(), read.timeoutNanos())) {
      if (read.isFresh()) {
        reader.read(object, call);
      } else {
        reader.peek(object, call);
      }
    }
  }

  private void onAsk(CallId<OperationFate> call, AskOperation ask) {
    ClientObject<?> object = object(call, ask.object(), ask.model());
    if (object == null) {
      return;
    }
    Sessions.Outcome late = object.late.get(ask.id());
    OwnOperation mine = object.work.own().get(ask.id());
    if (late != null) {
      complete(call, OperationFate.of(ask.id(), late));
    } else if (begins(call, object, ask.access(), ask.timeoutNanos())) {
      if (mine != null) {
        mine.askers.add(call);
        object.awaited.put(call.number(), mine);
      } else {
        object.questions.put(call.number(), ask.id());
        reader.read(object, new CallId<>(call.number()));
      }
    }
  }

  private void onAnswered(ServerId from, Answered answered) {
    ClientObject<?> object = core.objects.get(answered.object());
    OwnOperation mine = object == null ? null : object.work.own().get(answered.id());
    if (object == null || mine == null) {
      return;
    }
    Digest said = answered.digest(); // Only that: results are long, and liars send some, too.
    mine.answers.add(from, said);
    if (mine.answers.count(said) > core.thresholds.faults()) {
      core.completeOwn(object, mine, new Sessions.Outcome(answered.version(), answered.result()));
      wasDoneByOthers(object, mine);
    }
  }

  /** A quorum that has accepted it is what chooses it: the orderer itself knows no more. */
  private void onIncluded(ServerId from, Included included) {
    ClientObject<?> object = core.objects.get(included.object());
    OwnOperation mine = object == null ? null : object.work.own().get(included.id());
    if (object == null || mine == null || !core.mode.sealsStatements()) {
      return;
    }
    object.turn.hear(included.rank());
    boolean isChosen =
        core.thresholds.isQuorum(
            mine.inclusions.hear(from, included.digest(), now(), core.timing.ballotNanos()));
    if (isChosen) {
      Sessions.Outcome outcome =
          new Sessions.Outcome(included.state().version(), Optional.of(included.result()));
      core.completeOwn(object, mine, outcome);
      wasDoneByOthers(object, mine);
    }
  }

  private void wasDoneByOthers(ClientObject<?> object, OwnOperation mine) {
    if (!mine.wasSubmittedAgain) {
      object.turn.failures = 0; // Who may not order has no other way to get further.
    }
    if (object.ballot == null) {
      turns.othersOrder(object);
      orderer.goOn(object);
    }
  }

  private void onExpired(ServerId from, Expired expired) {
    ClientObject<?> object = core.objects.get(expired.object());
    OwnOperation mine = object == null ? null : object.work.own().get(expired.id());
    if (object == null || mine == null) {
      return;
    }
    object.expiries.put(from, expired.expiredUpTo());
    mine.expiredAt = mine.expiredAt.with(from);
    if (mine.expiredAt.size() > core.thresholds.faults()) {
      // As high as a correct server says: alone, a liar could name one that leaves no numbers.
      List<Long> highestFirst =
          object.expiries.values().stream().sorted(Comparator.reverseOrder()).toList();
      long expiredUpTo = highestFirst.get(core.thresholds.faults());
      object.work.beginAbove(expiredUpTo);
      core.giveUpExpired(object, mine);
      // None behind it can happen, either; as long as one waits, numbers do not rise above that.
      for (OwnOperation other : List.copyOf(object.work.own().values())) {
        if (other.operation.floor() < expiredUpTo) {
          core.giveUpExpired(object, other);
        }
      }
      if (object.ballot == null) {
        orderer.goOn(object);
      }
    }
  }

  private void readAgain(ClientObject<?> object) {
    List<CallId<ReadResult>> readers = List.copyOf(object.readers);
    object.readers.clear();
    if (!readers.isEmpty()) {
      reader.readNow(object, readers);
    }
  }

  private void onOverdue(ClientCore.Overdue overdue) {
    ClientObject<?> object = core.objects.get(overdue.object());
    if (object == null || core.objectOfCall.remove(overdue.call()) == null) {
      return;
    }
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      readers.removeIf(reader -> reader.number() == overdue.call());
    }
    object.chosenAccess.remove(overdue.call());
    restorer.forgetRestoring(object, overdue.call());
    OpId question = object.questions.remove(overdue.call());
    OpId awaited = awaitNoMore(object, overdue.call());
    OpId about = awaited != null ? awaited : question;
    fail(
        new CallId<>(overdue.call()),
        about != null
            ? ClientCore.unknownOutcome(object, about)
            : new NoQuorumException(
                heardBy(object),
                core.thresholds.servers(),
                core.thresholds.quorum(),
                Outcome.DID_NOT_HAPPEN));
  }

  /**
   * A caller no longer waits for an operation of ours. It goes on: the operations that follow it
   * need it.
   *
   * @return which; null if it waited for none
   */
  private static @Nullable OpId awaitNoMore(ClientObject<?> object, long call) {
    OwnOperation mine = object.awaited.remove(call);
    if (mine == null) {
      return null;
    }
    mine.askers.removeIf(asker -> asker.number() == call);
    mine.wanted &= mine.call.number() != call;
    return mine.operation.id();
  }

  /** Those that answered what is asked now. */
  private static ServerSet heardBy(ClientObject<?> object) {
    ServerSet heard = object.ballot == null ? ServerSet.none() : object.ballot.accepted;
    FastRead read = object.fastRead;
    return read == null ? heard : heard.union(read.tally.reporters());
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    notices.cancelled(call);
    names.cancelled(call);
    String name = core.objectOfCall.remove(call.number());
    ClientObject<?> object = name == null ? null : core.objects.get(name);
    if (object == null) {
      return;
    }
    cancelTimer(new ClientCore.Overdue(object.name, call.number()));
    for (List<CallId<ReadResult>> readers : object.allReaders()) {
      readers.removeIf(reader -> reader.number() == call.number());
    }
    object.chosenAccess.remove(call.number());
    restorer.forgetRestoring(object, call.number());
    object.questions.remove(call.number());
    OpId unused = awaitNoMore(object, call.number());
  }
}
