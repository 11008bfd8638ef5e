package io.testudo.mutex.toy;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.toy.ToyProtocol.ToyAnswer;
import io.testudo.mutex.toy.ToyProtocol.ToyAsk;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import java.util.HashMap;
import java.util.Map;

/** Lets in whoever asks while nobody is in, with an attempt above all before. */
final class ToyServer extends Machine<ClientId> {
  private final LockTiming timing;
  private final boolean careless;
  private final Map<String, Owned> locks = new HashMap<>();

  /** The highest attempt that was let in, and until when it is. */
  private record Owned(long attempt, long untilNanos) {}

  ToyServer(LockTiming timing, boolean careless) {
    this.timing = timing;
    this.careless = careless;
    onMessage(ToyAsk.class, this::onAsk);
  }

  private void onAsk(ClientId from, ToyAsk ask) {
    long nanos = now().nanos();
    Owned owned = locks.getOrDefault(ask.lock(), new Owned(0, nanos));
    boolean isFree = careless || owned.untilNanos() - nanos <= 0;
    boolean isYours = !isFree && owned.attempt() == ask.attempt();
    if (ask.leaseNanos() == 0) {
      if (isYours) {
        locks.put(ask.lock(), new Owned(ask.attempt(), nanos));
      }
    } else if (isYours || (isFree && owned.attempt() < ask.attempt())) {
      long untilNanos = nanos + timing.serverLeaseNanos(ask.leaseNanos());
      long lastNanos = isYours ? Math.max(untilNanos, owned.untilNanos()) : untilNanos;
      locks.put(ask.lock(), new Owned(ask.attempt(), lastNanos));
      send(from, new ToyAnswer(ask.lock(), ask.attempt(), ask.number(), ask.attempt()));
    } else if (owned.attempt() != ask.attempt()) {
      send(from, new ToyAnswer(ask.lock(), ask.attempt(), ask.number(), owned.attempt()));
    }
  }
}
