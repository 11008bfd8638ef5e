package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Part;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the client that speaks to servers: what there is to say to one, and when. */
final class Correspondence extends Part<ServerId> {
  /** A server that does not answer is asked more seldom, so many times; this is for ever. */
  private static final int MOST_DOUBLINGS = 40;

  /** No server is left alone for longer, whatever it says. */
  private static final long LONGEST_PAUSE_NANOS = Duration.ofHours(1).toNanos();

  /**
   * So many epochs are remembered after their end; an older one is left twice, which is harmless.
   */
  private static final int MAX_LEFT = 1_024;

  private final LockTiming timing;
  private final RoundTrips trips;

  /** When the last epochs were left, by the time of their request. */
  private final Map<Long, Long> left = BoundedMap.byAge(MAX_LEFT);

  Correspondence(Part<ServerId> client, LockTiming timing, RoundTrips trips) {
    super(client);
    this.timing = timing;
    this.trips = trips;
  }

  /** What a lease must last, on the own clock, to leave the hold, or what is left of a longer. */
  private long leaseNanos(QueuedAcquisition acquisition) {
    long wantedNanos =
        acquisition.call.wish().holdNanos() + timing.windowNanos(trips.longestNanos());
    LockCall call = acquisition.call;
    long leftNanos = call.isHeld() ? call.lease().term().remainingNanos(now()) : 0;
    return Math.min(timing.maxLeaseNanos(), Math.max(wantedNanos, leftNanos));
  }

  /** Whether an answer to what was sent then would have come by now. */
  private boolean isLongAgo(@Nullable Long sentNanos) {
    return sentNanos == null || now().nanos() - sentNanos >= trips.longestNanos();
  }

  void request(QueuedAcquisition acquisition, Seat seat) {
    seat.requestedNanos = now().nanos();
    long leaseNanos = leaseNanos(acquisition);
    send(
        seat.server,
        new Request(
            acquisition.lock(),
            acquisition.call.contender(),
            acquisition.epoch.time,
            leaseNanos,
            seat.next(now(), leaseNanos)));
    // One that is silent need not know before the turn comes; one that keeps a place does.
    long turnNanos = seat.state == State.UNHEARD ? acquisition.epoch.untilOthersAreAsked(now()) : 0;
    retryWithin(seat, Math.max(timing.refreshNanos(), turnNanos));
  }

  /** Sends a request, unless one may still be under way: no liar is answered without end. */
  void requestSoon(QueuedAcquisition acquisition, Seat seat) {
    if (isLongAgo(seat.requestedNanos)) {
      request(acquisition, seat);
    } else {
      seat.retryNanos = now().nanos() + trips.longestNanos();
    }
  }

  /** The grant counts no more from now on, whatever becomes of the message. */
  void giveWay(QueuedAcquisition acquisition, Seat seat) {
    seat.state = State.YIELDED;
    seat.yieldedNanos = now().nanos();
    long leaseNanos = leaseNanos(acquisition);
    send(
        seat.server,
        new Yield(
            acquisition.lock(),
            acquisition.call.contender(),
            acquisition.epoch.time,
            seat.grant(),
            leaseNanos,
            seat.next(now(), leaseNanos)));
    retryWithin(seat, timing.refreshNanos());
  }

  /** Yields a grant again that was yielded before, unless that may still be under way. */
  void giveWayAgain(QueuedAcquisition acquisition, Seat seat) {
    if (isLongAgo(seat.yieldedNanos)) {
      giveWay(acquisition, seat);
    }
  }

  void inquire(QueuedAcquisition acquisition, Seat seat) {
    if (isLongAgo(seat.inquiredNanos)) {
      seat.inquiredNanos = now().nanos();
      send(
          seat.server,
          new Inquiry(
              acquisition.lock(),
              acquisition.call.contender(),
              acquisition.epoch.time,
              seat.next(now(), 0)));
    }
  }

  void confirm(QueuedAcquisition acquisition, Seat seat, long fence, long leaseNanos) {
    seat.confirmFence = Math.max(seat.confirmFence, fence);
    seat.confirmNanos = now().nanos();
    send(
        seat.server,
        new Confirm(
            acquisition.lock(),
            acquisition.call.contender(),
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
  void confirmSoon(QueuedAcquisition acquisition, Seat seat, long fence) {
    boolean answered = seat.fence >= seat.confirmFence && seat.confirmFence < fence;
    boolean recent =
        seat.confirmFence > 0 && now().nanos() - seat.confirmNanos < trips.longestNanos();
    if (answered || !recent) {
      seat.changes += seat.confirmFence >= fence ? 1 : 0; // It was asked before, in vain.
      confirm(acquisition, seat, fence, leaseNanos(acquisition));
    }
  }

  /** Asks again unless something is heard, more and more seldom, after so long at most. */
  private void retryWithin(Seat seat, long longestNanos) {
    double stretched =
        Math.scalb((double) trips.graceNanos(), Math.min(seat.asked, MOST_DOUBLINGS));
    seat.asked++;
    seat.retryNanos = now().nanos() + (long) Math.min((double) longestNanos, stretched);
  }

  /** Asks again when the server said so: it keeps a place in its queue for so long. */
  void retryAsTold(Seat seat, long toldNanos) {
    retryWithin(seat, timing.refreshNanos());
    long latestNanos = now().nanos() + Math.min(toldNanos, LONGEST_PAUSE_NANOS);
    seat.retryNanos = latestNanos - seat.retryNanos > 0 ? latestNanos : seat.retryNanos;
  }

  /** Asks again after so long, or sooner if that was due before: nothing puts a request off. */
  void retryBy(Seat seat, long nanos) {
    long latestNanos = now().nanos() + nanos;
    seat.retryNanos = seat.retryNanos - latestNanos > 0 ? latestNanos : seat.retryNanos;
  }

  /**
   * Asks for more time where the lock is granted, and for the grant where it is not, or no more.
   */
  Term prolong(QueuedAcquisition acquisition, long token, long holdNanos) {
    long leaseNanos = timing.leaseNanos(holdNanos);
    for (Seat seat : acquisition.epoch.seats) {
      switch (seat.state) {
        case MINE -> confirm(acquisition, seat, token, leaseNanos);
        case UNHEARD, OTHER, VOID -> request(acquisition, seat);
        case YIELDED -> {} // The server will give it to another, or has done so.
      }
    }
    return new Term(now(), leaseNanos);
  }

  /** Whether an answer may have crossed the RELEASE: then there is no need for another. */
  boolean hasJustLeft(long time) {
    Long leftNanos = left.get(time);
    return leftNanos != null && now().nanos() - leftNanos <= trips.longestNanos();
  }

  /** RELEASE to all: whoever has granted this epoch, or will, serves the next. */
  void release(QueuedAcquisition acquisition, long token) {
    left.put(acquisition.epoch.time, now().nanos());
    for (Seat seat : acquisition.epoch.seats) {
      send(
          seat.server,
          new SigmaRelease(
              acquisition.lock(), acquisition.call.contender(), acquisition.epoch.time, token));
    }
  }
}
