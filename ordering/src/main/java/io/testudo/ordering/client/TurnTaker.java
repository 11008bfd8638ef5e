package io.testudo.ordering.client;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Inner;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client machine that sees to it that one client at a time orders an object: that
 * it has the tenure. Nothing that must hold depends on it, only how soon things are done.
 *
 * <p>A client makes way for another that orders, and submits its operations to be ordered by that
 * one. If they are not done in a while, it takes the tenure; if that fails again and again, it asks
 * for a lock first, and if it does not get that either, it orders without.
 *
 * <p>Where turns are taken {@linkplain TurnsBy#LOCK by the lock}, a client that knows of nobody who
 * orders submits its operations and asks for the lock. Whoever gets it orders what all have
 * submitted, and has it until its tenure ends. Who gets none takes turns by rank for a while.
 */
final class TurnTaker extends Part<ServerId> {
  private static final int MAX_EXPONENT = 6;

  /** After so many failures in a row a lock decides who is next. */
  private static final int FAILURES_WITHOUT_LOCK = 2;

  /** Who was not granted the lock does without it for so many times as long as it asked. */
  private static final int WAITS_WITHOUT_LOCK = 5;

  /** Whoever has the lock begins anew at once, so often in a row. */
  private static final int MOST_RESTARTS = 3;

  record Patience(String object) implements TimerKey {}

  private final ClientCore core;
  private final @Nullable Inner<ServerId> lock;
  private final TurnsBy turnsBy;
  private final Consumer<ClientObject<?>> goesOn;
  private final OperationSubmitter submitter;

  TurnTaker(
      ClientCore core,
      @Nullable Inner<ServerId> lock,
      TurnsBy turnsBy,
      Consumer<ClientObject<?>> goesOn) {
    super(core);
    this.core = core;
    this.lock = lock;
    this.turnsBy = lock == null ? TurnsBy.RANK : turnsBy;
    this.goesOn = goesOn;
    this.submitter = new OperationSubmitter(core);
    onMessage(Unattended.class, this::onUnattended);
    onTimer(Patience.class, this::onPatience);
  }

  /** False if we lack the key: then we can only read what others have finished. */
  boolean mayOrder(ClientObject<?> object) {
    return core.mayOrder(object);
  }

  /**
   * Whether a ballot may begin. If the lock decides that, it is asked for, and whoever has it now
   * is told what we want done.
   */
  boolean takes(ClientObject<?> object) {
    if (isOurs(object)) {
      return true;
    }
    submitter.submitNew(object);
    askForLock(object);
    return false;
  }

  /** A ballot that changes nothing makes way, and needs no lock. */
  private boolean isOurs(ClientObject<?> object) {
    Turn turn = object.turn;
    return turnsBy == TurnsBy.RANK
        || turn.held != null
        || turn.isImpatient
        || doesWithoutLock(turn)
        || object.work.own().isEmpty();
  }

  private boolean doesWithoutLock(Turn turn) {
    return turn.lockFailedNanos != OwnOperation.NEVER
        && now().nanos() - turn.lockFailedNanos < WAITS_WITHOUT_LOCK * lockWaitNanos();
  }

  /** Whether no timer and no answer to a question of ours would make us go on. */
  static boolean waitsInVain(ClientObject<?> object) {
    Turn turn = object.turn;
    Ballot ballot = object.ballot;
    if (ballot != null) {
      return ballot.phase == Ballot.Phase.WARM && !ballot.gathers && !object.work.own().isEmpty();
    }
    return object.hasOwnWork()
        && object.restoring == null // That has a timer of its own.
        && !turn.sleeps
        && turn.asking == null
        && turn.patientUntilNanos == OwnOperation.NEVER;
  }

  /** A ballot was refused: whether the next one may begin at once. */
  boolean mayBeginAnew(ClientObject<?> object, boolean hadTenure) {
    Turn turn = object.turn;
    if (turn.waits()) {
      return false;
    }
    if (turnsBy == TurnsBy.LOCK && turn.held != null) {
      return ++turn.restarts <= MOST_RESTARTS; // The next one in line may be luckier.
    }
    return hadTenure && isOurs(object);
  }

  /** Others have done what we asked the lock for: they order. */
  void othersOrder(ClientObject<?> object) {
    Turn turn = object.turn;
    if (turnsBy == TurnsBy.LOCK && turn.asking != null && turn.failures == 0) {
      giveBack(object);
      follow(object);
    }
  }

  /** Lets whoever is at work order what we want done. */
  void follow(ClientObject<?> object) {
    object.turn.follows = true;
    object.turn.unattended = ServerSet.none();
    submitter.submitNew(object);
    bePatient(object);
  }

  /** The same, after a ballot that made way: some of those it asked know who orders. */
  void follow(ClientObject<?> object, Ballot lost) {
    submitter.submitWhereKnown(object, lost.refused.union(lost.busy));
    follow(object);
  }

  /** However often we are told that somebody orders: what we wait for began once. */
  private void bePatient(ClientObject<?> object) {
    Turn turn = object.turn;
    if (turn.patientUntilNanos == OwnOperation.NEVER) {
      turn.patientUntilNanos = now().nanos() + patienceNanos(object);
    }
    setTimer(new Patience(object.name), Math.max(0, turn.patientUntilNanos - now().nanos()));
  }

  /** Not the same for all who wait, so that not all lose it at once. */
  private long patienceNanos(ClientObject<?> object) {
    long doubledNanos = core.patienceNanos() << Math.min(object.turn.failures, MAX_EXPONENT);
    long leastNanos = Math.min(core.mostPatienceNanos(), doubledNanos);
    return leastNanos + core.entropy.nextLong(1 + leastNanos / 4);
  }

  /** Submits an operation that came while we wait for others. */
  void submitWaiting(ClientObject<?> object, OwnOperation mine) {
    submitter.submit(object, mine);
    if (object.work.own().size() == 1) {
      object.turn.patientUntilNanos = OwnOperation.NEVER;
      bePatient(object);
    }
  }

  private void onPatience(Patience patience) {
    ClientObject<?> object = core.objects.get(patience.object());
    if (object == null) {
      return;
    }
    object.turn.patientUntilNanos = OwnOperation.NEVER;
    if (object.ballot != null) {
      return;
    }
    if (!object.hasOwnWork()) {
      object.turn.isImpatient = object.anybodyReads(); // If they find nothing, they order.
      return;
    }
    if (object.readers.isEmpty() && !object.work.own().isEmpty()) {
      OwnOperation oldest = object.work.own().values().iterator().next();
      if (now().nanos() - oldest.submittedNanos < core.patienceNanos()) {
        bePatient(object); // Others were answered since.
        return;
      }
    }
    object.turn.failures++;
    submitter.submitAgain(object);
    if (mayOrder(object)) {
      contend(object);
    } else {
      bePatient(object);
    }
  }

  private void onUnattended(ServerId from, Unattended unattended) {
    ClientObject<?> object = core.objects.get(unattended.object());
    if (object == null || !object.turn.follows || object.turn.asking != null || !mayOrder(object)) {
      return;
    }
    Turn turn = object.turn;
    turn.unattended = turn.unattended.with(from);
    // One may lie, and several may differ from the others: they are believed now and then, since a
    // ballot that makes way costs little.
    boolean areMany = turn.unattended.size() > core.thresholds.faults();
    long leastNanos = areMany ? core.roundTrips.mostNanos() : core.patienceNanos();
    boolean isBelieved =
        turn.believedNanos == OwnOperation.NEVER
            || now().nanos() - turn.believedNanos >= leastNanos;
    if (isBelieved && object.hasOwnWork()) {
      turn.believedNanos = now().nanos();
      turn.follows = false;
      goesOn.accept(object);
    } else if (!core.asksAll(object)) {
      submitter.submitBeside(object, from); // Whoever orders may ask another quorum.
    }
  }

  /** Takes the tenure; if that has failed before, after the lock of the object. */
  private void contend(ClientObject<?> object) {
    Turn turn = object.turn;
    if (turn.asking != null || turn.held != null) {
      return;
    }
    boolean asks =
        turnsBy == TurnsBy.LOCK ? !doesWithoutLock(turn) : turn.failures > FAILURES_WITHOUT_LOCK;
    if (lock != null && asks) {
      askForLock(object);
    } else {
      goOnAlone(object);
    }
  }

  private long lockWaitNanos() {
    return 2 * core.timing.turnNanos();
  }

  /** It is renewed until it is given back. */
  private void askForLock(ClientObject<?> object) {
    Turn turn = object.turn;
    Acquire acquire =
        new Acquire(
            Rights.OBJECT_LOCKS + object.name,
            core.timing.turnNanos(),
            lockWaitNanos(),
            Long.MAX_VALUE,
            false);
    // The answer may come before the id: then there is nothing to remember.
    List<Object> answered = new ArrayList<>();
    var id =
        Objects.requireNonNull(lock)
            .call(
                acquire,
                held -> {
                  answered.add(held);
                  onHeld(object, held);
                },
                reason -> {
                  answered.add(reason);
                  turn.asking = null;
                  onNotHeld(object);
                });
    if (answered.isEmpty()) {
      turn.asking = id;
    }
  }

  private void onHeld(ClientObject<?> object, Held held) {
    object.turn.asking = null;
    object.turn.held = held;
    object.turn.follows = false;
    object.turn.sleeps = false;
    goesOn.accept(object);
    if (object.ballot == null) {
      endTurn(object);
    }
  }

  /** Nobody has to wait for a lock for ever: the next ballots are as if there was none. */
  private void onNotHeld(ClientObject<?> object) {
    object.turn.lockFailedNanos = now().nanos();
    if (turnsBy == TurnsBy.RANK || object.turn.failures > 0) {
      goOnAlone(object);
    } else {
      object.turn.follows = false;
      goesOn.accept(object);
    }
  }

  private void goOnAlone(ClientObject<?> object) {
    object.turn.follows = false;
    object.turn.isImpatient = true;
    goesOn.accept(object);
  }

  void onLockEvent(Event event) {
    if (event instanceof LeaseLost lost) {
      ClientObject<?> object =
          core.objects.get(lost.lock().substring(Rights.OBJECT_LOCKS.length()));
      if (object != null && object.turn.held != null) {
        object.turn.held = null; // What was begun is finished all the same.
        if (turnsBy == TurnsBy.LOCK && object.ballot != null && object.turn.asking == null) {
          askForLock(object);
        }
      }
    } else {
      tell(event);
    }
  }

  /** There is nothing to order for now. By rank a turn ends then, by the lock with the tenure. */
  void rest(ClientObject<?> object) {
    if (turnsBy == TurnsBy.LOCK) {
      stopWaiting(object);
    } else {
      endTurn(object);
    }
  }

  /** Whether a ballot ends with its tenure, since the next proposal needs the lock anew. */
  boolean endWithTenure() {
    return turnsBy == TurnsBy.LOCK;
  }

  /** Nothing is left to do: lets others have their turn. */
  void endTurn(ClientObject<?> object) {
    giveBack(object);
    stopWaiting(object);
  }

  private void stopWaiting(ClientObject<?> object) {
    object.turn.patientUntilNanos = OwnOperation.NEVER;
    cancelTimer(new Patience(object.name));
  }

  /** Somebody else has the turn. */
  void giveBack(ClientObject<?> object) {
    Turn turn = object.turn;
    turn.isImpatient = false;
    if (lock != null && turn.asking != null) {
      lock.cancel(turn.asking);
      turn.asking = null;
    }
    if (lock != null && turn.held != null) {
      ReleaseCall release = new ReleaseCall(turn.held.lock(), turn.held.token());
      turn.held = null;
      var unused = lock.call(release, wasHeld -> {}, reason -> {});
    }
  }

  /**
   * A ballot got no further, though nobody came between. Others are told of our operations, and the
   * next ballot comes after a while.
   */
  void stepBack(ClientObject<?> object, TimerKey wake) {
    Turn turn = object.turn;
    turn.isImpatient = false;
    turn.failures++;
    submitter.submitAgain(object);
    // Whoever has the lock must not sleep on it.
    int exponent = turn.held != null ? 0 : Math.min(turn.failures, MAX_EXPONENT);
    long boundNanos = core.timing.retryNanos() << exponent;
    turn.sleeps = true;
    setTimer(wake, 1 + core.entropy.nextLong(boundNanos));
  }
}
