package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One request (t, client) from its first message to its last, with a seat for each server. */
final class Epoch {
  final long time;
  final List<Seat> seats;
  private final Thresholds thresholds;
  private final long maxSkewMillis;

  Epoch(long time, Thresholds thresholds, long maxSkewMillis) {
    this.time = time;
    this.thresholds = thresholds;
    this.maxSkewMillis = maxSkewMillis;
    List<Seat> all = new ArrayList<>(thresholds.servers());
    for (ServerId server : ServerSet.firstN(thresholds.servers())) {
      all.add(new Seat(server));
    }
    this.seats = List.copyOf(all);
  }

  Seat seat(ServerId server) {
    return seats.get(server.index());
  }

  int count(State state) {
    int count = 0;
    for (Seat seat : seats) {
      count += seat.state == state ? 1 : 0;
    }
    return count;
  }

  /** E1: as many servers as one needs support this epoch, with fences that can be believed. */
  boolean hasEnough(Moment now) {
    long limit = believedFence(now);
    int own = 0;
    for (Seat seat : seats) {
      own += seat.state == State.MINE && seat.fence <= limit ? 1 : 0;
    }
    return own >= thresholds.consents();
  }

  /**
   * Up to where fences are believed: near the own clock from anyone, beyond that as far as so many
   * servers go that one of them is correct. Else a liar could use up all tokens.
   */
  private long believedFence(Moment now) {
    long[] fences = new long[seats.size()];
    for (Seat seat : seats) {
      fences[seat.server.index()] = seat.state == State.MINE ? seat.fence : 0;
    }
    Arrays.sort(fences);
    long near = RankClock.atWall(now.wallMillis() + maxSkewMillis);
    return Math.max(near, fences[fences.length - thresholds.vouchers()]);
  }

  /** How many servers say the same other owner, of the one whom most name. */
  int mostForAnother() {
    Map<Owner, Integer> votes = new HashMap<>();
    int most = 0;
    for (Seat seat : seats) {
      if (seat.state == State.OTHER) {
        most = Math.max(most, votes.merge(seat.owner, 1, Integer::sum));
      }
    }
    return most;
  }

  /** E2: another has enough. */
  boolean anotherHasEnough() {
    return mostForAnother() >= thresholds.consents();
  }

  /** The servers of which the present owner is known. */
  int answered() {
    return count(State.MINE) + count(State.OTHER);
  }

  boolean enoughAnswered() {
    return answered() >= thresholds.consents();
  }

  /** E3: whoever those are that have not answered, nobody has enough. */
  boolean isSplit() {
    int most = Math.max(count(State.MINE), mostForAnother());
    return most + thresholds.servers() - answered() < thresholds.consents();
  }

  /** Whether so many support others that the rest is not enough, as things stand. */
  boolean isOutvoted() {
    return count(State.OTHER) > thresholds.toleratedDenials();
  }

  /**
   * Rule R1, when a server has granted this epoch: what is known of the owner that has left it is
   * out of date. So is, with the first grant of all, what was heard longer than a round trip ago:
   * in a long queue several owners have come and gone since, and their remains would look as if
   * nobody had enough.
   *
   * @param heardSinceNanos what was heard before is forgotten; empty unless it is the first grant
   */
  List<Seat> forget(Owner left, OptionalLong heardSinceNanos) {
    List<Seat> forgotten = new ArrayList<>();
    for (Seat seat : seats) {
      boolean isOld =
          heardSinceNanos.isPresent() && seat.heardNanos - heardSinceNanos.getAsLong() < 0;
      if (seat.state == State.OTHER && (isOld || seat.owner.equals(left))) {
        seat.state = State.UNHEARD;
        seat.owner = Owner.NONE;
        forgotten.add(seat);
      }
    }
    return forgotten;
  }

  /**
   * The token with which the lock may be entered: the highest fence of as many grants as are
   * needed. Those whose fence has changed most often are left out first, then those with the
   * highest: else one server that raises its fence whenever it is asked would keep everybody out.
   */
  long token(Moment now) {
    long limit = believedFence(now);
    List<Seat> steadiest = new ArrayList<>(seats);
    steadiest.removeIf(seat -> seat.state != State.MINE || seat.fence > limit);
    steadiest.sort(
        Comparator.comparingInt((Seat seat) -> seat.changes).thenComparingLong(seat -> seat.fence));
    long highest = 0;
    for (Seat seat : steadiest.subList(0, Math.min(thresholds.consents(), steadiest.size()))) {
      highest = Math.max(highest, seat.fence);
    }
    return highest;
  }

  /**
   * The lease that the grants give which know of the token: as long as enough of them last. Null if
   * they are too few. One that was forgotten by its server counts, as long as there are not too
   * many of those: see {@link #hasForgottenTooMuch}.
   */
  @Nullable Term lease(long token, Moment now) {
    List<Term> terms = new ArrayList<>(seats.size());
    for (Seat seat : seats) {
      boolean counts = seat.state == State.MINE || seat.state == State.VOID;
      // A higher fence stands for a token that was used after this one was chosen.
      if (counts && seat.fence == token && seat.term != null) {
        terms.add(seat.term);
      }
    }
    return Term.ofEnough(terms, thresholds.consents(), now);
  }

  /**
   * Whether so many servers are known to have forgotten a grant whose lease is not over that they
   * and the others could let another in.
   */
  boolean hasForgottenTooMuch(Moment now) {
    int forgotten = 0;
    for (Seat seat : seats) {
      forgotten += seat.state == State.VOID && seat.remainingNanos(now) > 0 ? 1 : 0;
    }
    return forgotten >= thresholds.shared();
  }

  /**
   * How long it takes until servers that know of this epoch are asked again, as one of those says
   * that do not lie; 0 if too few know of it for its turn to come.
   */
  long untilOthersAreAsked(Moment now) {
    long[] pauses =
        seats.stream()
            .filter(seat -> seat.state == State.OTHER)
            .mapToLong(seat -> seat.retryNanos - now.nanos())
            .sorted()
            .toArray();
    return pauses.length < thresholds.consents() ? 0 : pauses[thresholds.vouchers() - 1];
  }

  /** The servers that said anything. */
  ServerSet heardOf() {
    ServerSet heard = ServerSet.none();
    for (Seat seat : seats) {
      heard = seat.grant != null ? heard.with(seat.server) : heard;
    }
    return heard;
  }
}
