package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Contenders;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the parts of the client half share: what there is to say to a server, and the state. */
abstract class Correspondence extends Machine<ServerId> {
  /** A server that does not answer is asked up to so many times more seldom. */
  private static final int MOST_DOUBLINGS = 6;

  /**
   * So many epochs are remembered after their end; an older one is left twice, which is harmless.
   */
  private static final int MAX_LEFT = 1_024;

  final Thresholds thresholds;
  final LockTiming timing;
  final RoundTrips trips;
  final Contenders contenders = new Contenders();

  /** All that are not over, by the time of their request. */
  final Map<Long, Acquisition> byTime = new HashMap<>();

  /** When the last epochs were left, by the time of their request. */
  private final Map<Long, Long> left =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MAX_LEFT;
        }
      };

  Correspondence(Thresholds thresholds, LockTiming timing) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.trips = new RoundTrips(timing, thresholds);
  }

  /** What a lease must last, on the own clock, to leave the hold, or what is left of a longer. */
  private long leaseNanos(Acquisition acquisition) {
    long wantedNanos = acquisition.wish.holdNanos() + timing.windowNanos(trips.longestNanos());
    long leftNanos = acquisition.term == null ? 0 : acquisition.term.remainingNanos(now());
    return Math.min(timing.maxLeaseNanos(), Math.max(wantedNanos, leftNanos));
  }

  /** Whether an answer to what was sent then would have come by now. */
  private boolean isLongAgo(@Nullable Long sentNanos) {
    return sentNanos == null || now().nanos() - sentNanos >= trips.longestNanos();
  }

  final void request(Acquisition acquisition, Seat seat) {
    seat.requestedNanos = now().nanos();
    long leaseNanos = leaseNanos(acquisition);
    send(
        seat.server,
        new Request(
            acquisition.lock(),
            acquisition.contender,
            acquisition.epoch.time,
            leaseNanos,
            seat.next(now(), leaseNanos)));
    retryAfter(seat, trips.graceNanos());
  }

  /** Sends a request, unless one may still be under way: no liar is answered without end. */
  final void requestSoon(Acquisition acquisition, Seat seat) {
    if (isLongAgo(seat.requestedNanos)) {
      request(acquisition, seat);
    } else {
      seat.retryNanos = now().nanos() + trips.longestNanos();
    }
  }

  /** The grant counts no more from now on, whatever becomes of the message. */
  final void giveWay(Acquisition acquisition, Seat seat) {
    seat.state = State.YIELDED;
    seat.yieldedNanos = now().nanos();
    long leaseNanos = leaseNanos(acquisition);
    send(
        seat.server,
        new Yield(
            acquisition.lock(),
            acquisition.contender,
            acquisition.epoch.time,
            seat.grant(),
            leaseNanos,
            seat.next(now(), leaseNanos)));
    retryAfter(seat, trips.graceNanos());
  }

  /** Yields a grant again that was yielded before, unless that may still be under way. */
  final void giveWayAgain(Acquisition acquisition, Seat seat) {
    if (isLongAgo(seat.yieldedNanos)) {
      giveWay(acquisition, seat);
    }
  }

  final void inquire(Acquisition acquisition, Seat seat) {
    if (isLongAgo(seat.inquiredNanos)) {
      seat.inquiredNanos = now().nanos();
      send(
          seat.server,
          new Inquiry(
              acquisition.lock(),
              acquisition.contender,
              acquisition.epoch.time,
              seat.next(now(), 0)));
    }
  }

  final void confirm(Acquisition acquisition, Seat seat, long fence, long leaseNanos) {
    seat.confirmFence = Math.max(seat.confirmFence, fence);
    seat.confirmNanos = now().nanos();
    send(
        seat.server,
        new Confirm(
            acquisition.lock(),
            acquisition.contender,
            acquisition.epoch.time,
            seat.grant(),
            fence,
            leaseNanos,
            seat.next(now(), leaseNanos)));
  }

  /**
   * Confirms a grant for the whole hold, unless that was done a moment ago and not answered:
   * however often the token changes, a server is asked once in a round trip.
   */
  final void confirmSoon(Acquisition acquisition, Seat seat, long fence) {
    boolean answered = seat.fence >= seat.confirmFence && seat.confirmFence < fence;
    boolean recent =
        seat.confirmFence > 0 && now().nanos() - seat.confirmNanos < trips.longestNanos();
    if (answered || !recent) {
      seat.changes += seat.confirmFence >= fence ? 1 : 0; // It was asked before, in vain.
      confirm(acquisition, seat, fence, leaseNanos(acquisition));
    }
  }

  final void retryAfter(Seat seat, long nanos) {
    long boundedNanos = Math.min(timing.refreshNanos(), nanos);
    long stretched = boundedNanos << Math.min(seat.asked, MOST_DOUBLINGS);
    seat.asked++;
    seat.retryNanos = now().nanos() + Math.min(timing.refreshNanos(), stretched);
  }

  /** Asks again after so long, or sooner if that was due before: nothing puts a request off. */
  final void retryBy(Seat seat, long nanos) {
    long latestNanos = now().nanos() + nanos;
    seat.retryNanos = seat.retryNanos - latestNanos > 0 ? latestNanos : seat.retryNanos;
  }

  /** Whether an answer may have crossed the RELEASE: then there is no need for another. */
  final boolean hasJustLeft(long time) {
    Long leftNanos = left.get(time);
    return leftNanos != null && now().nanos() - leftNanos <= trips.longestNanos();
  }

  /** RELEASE to all: whoever has granted this epoch, or will, serves the next. */
  final void leave(Acquisition acquisition, long token) {
    left.put(acquisition.epoch.time, now().nanos());
    for (Seat seat : acquisition.epoch.seats) {
      send(
          seat.server,
          new Leave(acquisition.lock(), acquisition.contender, acquisition.epoch.time, token));
    }
  }
}
