package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Suspicion;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client that hears servers: it drops what is late, old or makes no sense, and
 * notes the rest at the seat of the server. What follows from it is decided elsewhere.
 */
final class ServerAnswers extends Part<ServerId> {
  /** Nobody's word moves the clock so far that times could run out. */
  private static final long MAX_HEARD = SigmaRequest.MAX_TIME - (1L << 59);

  private final Correspondence servers;
  private final RoundTrips trips;
  private final LockTiming timing;
  private final Horizon horizon;
  private final LongFunction<@Nullable QueuedAcquisition> acquisitions;
  private final BiConsumer<QueuedAcquisition, Seat> news;

  /**
   * Makes the part.
   *
   * @param acquisitions by the time of their request
   * @param news hears what has changed
   */
  ServerAnswers(
      Correspondence servers,
      RoundTrips trips,
      LockTiming timing,
      Horizon horizon,
      LongFunction<@Nullable QueuedAcquisition> acquisitions,
      BiConsumer<QueuedAcquisition, Seat> news) {
    super(servers);
    this.servers = servers;
    this.trips = trips;
    this.timing = timing;
    this.horizon = horizon;
    this.acquisitions = acquisitions;
    this.news = news;
    onMessage(Response.class, this::onResponse);
    onMessage(Check.class, this::onCheck);
  }

  private void onResponse(ServerId from, Response response) {
    QueuedAcquisition acquisition = acquisitions.apply(response.time());
    if (acquisition == null) {
      if (response.yours() && !servers.hasJustLeft(response.time())) {
        leaveOld(from, response.lock(), response.contender(), response.time());
      }
      return;
    }
    Seat seat = acquisition.epoch.seat(from);
    if (!isToBeHeard(acquisition, seat, response)) {
      return;
    }
    acquisition.call.excuses().none(from);
    if (response.yours()) {
      onGrant(
          acquisition,
          seat,
          response.grant(),
          response.owner(),
          response.echo(),
          response.leased(),
          timing.leastNanos(response.waitNanos()),
          response.fence());
    } else {
      onOther(acquisition, seat, response);
    }
    news.accept(acquisition, seat);
  }

  /** Drops what is late or makes no sense. */
  private boolean isToBeHeard(QueuedAcquisition acquisition, Seat seat, Response response) {
    if (!acquisition.lock().equals(response.lock())
        || acquisition.call.contender() != response.contender()) {
      return false;
    }
    if (!seat.hasSent(response.echo()) || !seat.hasSent(response.leased())) {
      tell(new Suspicion(seat.server, "answers what it was never sent"));
      return false;
    }
    hearOf(seat.server, acquisition, response.owner().time());
    long roundTripNanos = seat.roundTripNanos(response.echo(), now());
    if (roundTripNanos >= 0) {
      trips.saw(seat.server, roundTripNanos);
    }
    return isPresent(acquisition, seat, response.grant(), response.echo());
  }

  private boolean isPresent(QueuedAcquisition acquisition, Seat seat, GrantId grant, long echo) {
    boolean present = seat.isPresent(grant, echo);
    if (!present && seat.isOfAnotherIncarnation(grant)) {
      servers.inquire(
          acquisition, seat); // Which of the two is alive? It will hear this, and say so.
    }
    return present;
  }

  /** The own clock goes on from the latest time that is heard of, as far as that is believed. */
  private void hearOf(ServerId from, QueuedAcquisition acquisition, long time) {
    if (time <= MAX_HEARD) {
      boolean unused = horizon.hear(from, acquisition.lock(), SealedRank.unsealed(time), now());
    }
  }

  private void onGrant(
      QueuedAcquisition acquisition,
      Seat seat,
      GrantId grant,
      Owner self,
      long echo,
      long leased,
      long waitedNanos,
      long fence) {
    if (seat.state == State.YIELDED && grant.equals(seat.grant)) {
      servers.giveWayAgain(
          acquisition, seat); // It does not know yet; what was yielded never counts again.
      return;
    }
    if (fence > SigmaRequest.MAX_TIME) {
      return; // There is no such token.
    }
    hearOf(seat.server, acquisition, fence);
    Owner before = seat.state == State.OTHER ? seat.owner : Owner.NONE;
    boolean isFirst = acquisition.epoch.count(State.MINE) == 0;
    seat.show(grant, echo, State.MINE, self, now());
    if (!seat.granted(leased, waitedNanos, fence, now())) {
      tell(new Suspicion(seat.server, "raises the fence of a grant"));
    }
    OptionalLong heardSinceNanos =
        isFirst ? OptionalLong.of(now().nanos() - trips.longestNanos()) : OptionalLong.empty();
    for (Seat forgotten : acquisition.epoch.forget(before, heardSinceNanos)) { // R1
      servers.retryBy(forgotten, trips.graceNanos());
    }
  }

  private void onOther(QueuedAcquisition acquisition, Seat seat, Response response) {
    boolean isForgotten =
        acquisition.call.isHeld() && (seat.state == State.MINE || seat.state == State.VOID);
    boolean isFree = response.owner().isNone();
    State state = isForgotten ? State.VOID : isFree ? State.UNHEARD : State.OTHER;
    seat.show(response.grant(), response.echo(), state, response.owner(), now());
    if (isFree) {
      servers.requestSoon(
          acquisition, seat); // It has lost its memory, or never heard of this epoch.
    } else {
      servers.retryAsTold(seat, timing.leastNanos(response.waitNanos())); // It is not to be late.
    }
  }

  private void onCheck(ServerId from, Check check) {
    QueuedAcquisition acquisition = acquisitions.apply(check.time());
    if (acquisition == null) {
      leaveOld(from, check.lock(), check.contender(), check.time());
      return;
    }
    Seat seat = acquisition.epoch.seat(from);
    if (!acquisition.lock().equals(check.lock())
        || acquisition.call.contender() != check.contender()) {
      return;
    }
    if (!seat.hasSent(check.echo()) || !seat.hasSent(check.leased())) {
      tell(new Suspicion(from, "checks on what it was never sent"));
    } else if (isPresent(acquisition, seat, check.grant(), check.echo())) {
      onGrant(
          acquisition,
          seat,
          check.grant(),
          Owner.NONE,
          check.echo(),
          check.leased(),
          0,
          check.fence());
      news.accept(acquisition, seat);
    }
  }

  /** The epoch is over, and a grant to the dead keeps everybody waiting. */
  private void leaveOld(ServerId to, String lock, long contender, long time) {
    send(to, new SigmaRelease(lock, contender, time, SigmaRelease.UNKNOWN));
  }
}
