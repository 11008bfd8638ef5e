package io.testudo.ordering.protocol;

import io.testudo.ordering.protocol.Run.Phase;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client half that brings a server up to date with objects one by one, and forgets
 * each of them then.
 */
abstract class Restorer extends Reader {
  private record RestoreTick(String object) implements TimerKey {}

  Restorer(
      Thresholds thresholds,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy,
      @Nullable Machine<ServerId> lock) {
    super(thresholds, mode, timing, session, seals, entropy, lock);
    onTimer(RestoreTick.class, this::onRestoreTick);
  }

  final void onRestoreObject(CallId<Boolean> call, RestoreObject restore) {
    forgetRestored();
    ClientObject<?> object = object(restore.object(), OpaqueModel.INSTANCE);
    if (object.restoring != null) {
      fail(call, new OverloadedException("restorations of one object", 1));
      return;
    }
    object.restoring = new ClientObject.Restoring(call, restore.server());
    objectOfCall.put(call.number(), object.name);
    setTimer(new Overdue(object.name, call.number()), restore.timeoutNanos());
    setTimer(new RestoreTick(object.name), timing.patienceNanos());
    beginAnew(object);
  }

  /** What reached the server too late, or not at all, goes out again with a fresh run. */
  private void onRestoreTick(RestoreTick tick) {
    ClientObject<?> object = objects.get(tick.object());
    if (object != null && object.restoring != null) {
      beginAnew(object);
      setTimer(tick, timing.patienceNanos());
    }
  }

  private void beginAnew(ClientObject<?> object) {
    if (object.run != null && object.run.phase == Phase.WARM) {
      publish(object);
      endRun(object);
    }
    goOn(object);
  }

  final void forgetRestoring(ClientObject<?> object, long call) {
    if (object.restoring != null && object.restoring.call().number() == call) {
      object.restoring = null;
    }
  }

  /** There may be thousands, each with a state of megabytes. */
  private void forgetRestored() {
    for (ClientObject<?> object : List.copyOf(objects.values())) {
      if (object.isOpaque() && object.restoring == null) {
        publish(object);
        endRun(object);
        endTurn(object);
        objects.remove(object.name);
      }
    }
  }
}
