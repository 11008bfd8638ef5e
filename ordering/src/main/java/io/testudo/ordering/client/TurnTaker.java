package io.testudo.ordering.client;

import io.testudo.crypto.SealKind;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.ordering.message.Submit;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client machine that sees to it that one client at a time orders an object: that
 * it has the tenure. Nothing that must hold depends on it, only how soon things are done.
 *
 * <p>A client makes way for another that orders, and submits its operations to be ordered by that
 * one. If they are not done in a while, it takes the tenure; if that fails again and again, it asks
 * for a lock first, and if it does not get that either, it orders without.
 */
final class TurnTaker extends Part<ServerId> {
  private static final int MAX_EXPONENT = 6;

  /** After so many failures in a row a lock decides who is next. */
  private static final int FAILURES_WITHOUT_LOCK = 2;

  record Patience(String object) implements TimerKey {}

  private final ClientCore core;
  private final @Nullable Inner<ServerId> lock;
  private final Consumer<ClientObject<?>> goesOn;

  TurnTaker(ClientCore core, @Nullable Inner<ServerId> lock, Consumer<ClientObject<?>> goesOn) {
    super(core);
    this.core = core;
    this.lock = lock;
    this.goesOn = goesOn;
    onMessage(Unattended.class, this::onUnattended);
    onTimer(Patience.class, this::onPatience);
  }

  /** False if we lack the key: then we can only read what others have finished. */
  boolean mayOrder(ClientObject<?> object) {
    return !core.mode.sealsRanks() || core.seals.canSeal(SealKind.TURN, object.name);
  }

  /** Lets whoever is at work order what we want done. */
  void follow(ClientObject<?> object) {
    object.turn.follows = true;
    object.turn.unattended = ServerSet.none();
    for (OwnOperation mine : object.work.own().values()) {
      if (mine.submittedNanos == OwnOperation.NEVER) {
        submit(object, mine);
      }
    }
    bePatient(object);
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
    submit(object, mine);
    if (object.work.own().size() == 1) {
      object.turn.patientUntilNanos = OwnOperation.NEVER;
      bePatient(object);
    }
  }

  /**
   * Hands an operation to servers. Where it proves itself, so many that one of them is correct are
   * enough at first; all know us, if we may order, because we asked them before.
   */
  private void submit(ClientObject<?> object, OwnOperation mine) {
    if (core.mode.sealsStatements() && mine.operation.seal().isEmpty()) {
      mine.operation = core.seals.seal(object.name, mine.operation);
    }
    Submit submit = new Submit(object.name, mine.operation);
    boolean isFirst = mine.submittedNanos == OwnOperation.NEVER;
    if (isFirst) {
      mine.submittedNanos = now().nanos();
    }
    if (core.mode.sealsStatements() && isFirst && mayOrder(object)) {
      // Of those whom whoever orders asks, too: others do not know it.
      List<ServerId> asked = new ArrayList<>();
      core.askedFirst(object).forEach(asked::add);
      int from = Math.floorMod(core.entropy.nextLong(), asked.size());
      for (int i = 0; i <= core.thresholds.faults(); i++) {
        send(asked.get((from + i) % asked.size()), submit);
      }
    } else {
      sendAll(isFirst ? core.askedFirst(object) : core.everyone, submit);
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
    object.work.own().values().forEach(mine -> submit(object, mine));
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
    }
  }

  /** Takes the tenure; if that has failed before, after the lock of the object. */
  private void contend(ClientObject<?> object) {
    Turn turn = object.turn;
    if (turn.asking != null || turn.held != null) {
      return;
    }
    if (lock == null || turn.failures <= FAILURES_WITHOUT_LOCK) {
      goOnAlone(object);
      return;
    }
    Acquire acquire =
        new Acquire(
            Rights.OBJECT_LOCKS + object.name,
            core.timing.turnNanos(),
            2 * core.timing.turnNanos(),
            Long.MAX_VALUE,
            false);
    // The answer may come before the id: then there is nothing to remember.
    List<Object> answered = new ArrayList<>();
    var id =
        lock.call(
            acquire,
            held -> {
              answered.add(held);
              onHeld(object, held);
            },
            reason -> {
              answered.add(reason);
              turn.asking = null;
              goOnAlone(object);
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
      }
    } else {
      tell(event);
    }
  }

  /** Nothing is left to do: lets others have their turn. */
  void endTurn(ClientObject<?> object) {
    giveBack(object);
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
    object.work.own().values().forEach(mine -> submit(object, mine));
    // Whoever has the lock must not sleep on it.
    int exponent = turn.held != null ? 0 : Math.min(turn.failures, MAX_EXPONENT);
    long boundNanos = core.timing.retryNanos() << exponent;
    turn.sleeps = true;
    setTimer(wake, 1 + core.entropy.nextLong(boundNanos));
  }
}
