package io.testudo.ordering.client;

import io.testudo.ordering.client.Ballot.Phase;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;

/**
 * The part of the client machine that brings a server up to date with objects one by one, and
 * forgets each of them then.
 */
final class Restorer extends Part<ServerId> {
  private record RestoreTick(String object) implements TimerKey {}

  private final ClientCore core;
  private final TurnTaker turns;
  private final BallotSender sender;
  private final Orderer orderer;

  Restorer(ClientCore core, TurnTaker turns, Orderer orderer) {
    super(core);
    this.core = core;
    this.turns = turns;
    this.sender = orderer.sender();
    this.orderer = orderer;
    onTimer(RestoreTick.class, this::onRestoreTick);
  }

  void onRestoreObject(CallId<Boolean> call, RestoreObject restore) {
    forgetRestored();
    ClientObject<?> object = core.object(restore.object(), OpaqueModel.INSTANCE);
    if (object.restoring != null) {
      fail(call, new OverloadedException("restorations of one object", 1));
      return;
    }
    object.restoring = new ClientObject.Restoring(call, restore.server());
    core.objectOfCall.put(call.number(), object.name);
    setTimer(new ClientCore.Overdue(object.name, call.number()), restore.timeoutNanos());
    setTimer(new RestoreTick(object.name), core.timing.patienceNanos());
    beginAnew(object);
  }

  /** What reached the server too late, or not at all, goes out again with a fresh ballot. */
  private void onRestoreTick(RestoreTick tick) {
    ClientObject<?> object = core.objects.get(tick.object());
    if (object != null && object.restoring != null) {
      beginAnew(object);
      setTimer(tick, core.timing.patienceNanos());
    }
  }

  private void beginAnew(ClientObject<?> object) {
    if (object.ballot != null && object.ballot.phase == Phase.WARM) {
      sender.publish(object);
      sender.endBallot(object);
    }
    orderer.goOn(object);
  }

  void forgetRestoring(ClientObject<?> object, long call) {
    if (object.restoring != null && object.restoring.call().number() == call) {
      object.restoring = null;
    }
  }

  /** There may be thousands, each with a state of megabytes. */
  private void forgetRestored() {
    for (ClientObject<?> object : List.copyOf(core.objects.values())) {
      if (object.isOpaque() && object.restoring == null) {
        sender.publish(object);
        sender.endBallot(object);
        turns.endTurn(object);
        core.objects.remove(object.name);
      }
    }
  }
}
