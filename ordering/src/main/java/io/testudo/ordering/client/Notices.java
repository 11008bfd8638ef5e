package io.testudo.ordering.client;

import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.WatchObject;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of the client machine that has servers tell it when an object changes. What they say is
 * a hint and changes nothing that is believed. It counts from more servers than can lie, so liars
 * alone wake nobody, however often they speak; if they keep silent, the others are enough.
 */
final class Notices extends Part<ServerId> {
  /** A call has waited for long enough. */
  private record WaitOver(long call) implements TimerKey {}

  private final ClientCore core;
  private final Map<String, Awaited> awaited = new HashMap<>();
  private final Map<Long, String> objectOfWait = new HashMap<>();

  /** Those who wait for one object to change. All of them know the same version. */
  private static final class Awaited {
    private final List<CallId<Boolean>> calls = new ArrayList<>();
    private long known = -1;
    private ServerSet told = ServerSet.none();
  }

  Notices(ClientCore core) {
    super(core);
    this.core = core;
    onCall(AwaitChange.class, this::onAwait);
    onMessage(Changed.class, this::onChanged);
    onTimer(WaitOver.class, over -> end(over.call(), true));
  }

  private void onAwait(CallId<Boolean> call, AwaitChange await) {
    Awaited before = awaited.get(await.object());
    if (objectOfWait.size() >= OrderingClient.MAX_OPERATIONS) {
      fail(call, new OverloadedException("calls in progress", OrderingClient.MAX_OPERATIONS));
      return;
    }
    if (before != null && before.known > await.known()) {
      complete(call, true); // Somebody here has seen a newer one.
      return;
    }
    if (before != null && before.known < await.known()) {
      wake(await.object(), before);
    }
    Awaited waiting = awaited.computeIfAbsent(await.object(), name -> new Awaited());
    waiting.calls.add(call);
    objectOfWait.put(call.number(), await.object());
    setTimer(new WaitOver(call.number()), await.timeoutNanos());
    if (waiting.known < await.known()) {
      waiting.known = await.known();
      for (ServerId server : core.everyone) {
        send(server, new WatchObject(await.object(), await.known()));
      }
    }
  }

  private void onChanged(ServerId from, Changed changed) {
    Awaited waiting = awaited.get(changed.object());
    if (waiting == null || changed.version() <= waiting.known) {
      return;
    }
    waiting.told = waiting.told.with(from);
    if (waiting.told.size() > core.thresholds.faults()) {
      wake(changed.object(), waiting);
    }
  }

  private void wake(String object, Awaited waiting) {
    awaited.remove(object);
    for (CallId<Boolean> call : waiting.calls) {
      objectOfWait.remove(call.number());
      cancelTimer(new WaitOver(call.number()));
      complete(call, true);
    }
  }

  /** A call has been given up. */
  void cancelled(CallId<?> call) {
    end(call.number(), false);
  }

  private void end(long number, boolean isOver) {
    String object = objectOfWait.remove(number);
    Awaited waiting = object == null ? null : awaited.get(object);
    if (object == null || waiting == null) {
      return;
    }
    waiting.calls.removeIf(call -> call.number() == number);
    if (waiting.calls.isEmpty()) {
      awaited.remove(object);
    }
    if (isOver) {
      complete(new CallId<Boolean>(number), false);
    } else {
      cancelTimer(new WaitOver(number));
    }
  }

  /** Whether a hint would count now. */
  boolean heeds(Changed changed) {
    Awaited waiting = awaited.get(changed.object());
    return waiting != null && changed.version() > waiting.known;
  }
}
