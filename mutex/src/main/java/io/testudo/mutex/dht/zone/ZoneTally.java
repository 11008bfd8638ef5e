package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.SentMessages;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteSeat;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one request knows of the votes of all members, with the space that each stands for. A claim
 * without proof counts nothing. One that reaches over the place of another member that has shown
 * itself is disproved; where two reach over each other, neither counts. So what is counted is
 * disjoint, and a liar can claim no more than its own zone and those before it of whose members
 * nothing was heard.
 */
final class ZoneTally {
  /** Of more the votes do not count, and they are not asked. */
  static final int MAX_MEMBERS = 32_768;

  private static final class Seat {
    final VoteSeat votes;
    ZoneClaim claim;

    Seat(VoteSeat votes, ZoneClaim claim) {
      this.votes = votes;
      this.claim = claim;
    }
  }

  private final ReplicaName name;
  private final ZoneSettings settings;
  private final Sightings sightings;
  private final SentMessages sent = new SentMessages();
  private final Map<NodeId, Seat> seats = new TreeMap<>();

  ZoneTally(String lock, ZoneSettings settings, Sightings sightings) {
    this.name = new ReplicaName(lock, 0);
    this.settings = settings;
    this.sightings = sightings;
  }

  /** Numbers a message that goes out now to members, and notes the lease that it asks for. */
  long next(Moment now, long leaseNanos) {
    return sent.next(now, leaseNanos);
  }

  /** How long ago the message went out that a reply answers; for ever if that is not known. */
  long agoNanos(VoteReply reply, Moment now) {
    return sent.agoNanos(reply.echo(), now);
  }

  private boolean isProven(NodeId from, ZoneClaim claim, Moment now) {
    MemberCertificates certificates = settings.certificates();
    return claim.isOf(from)
        && certificates.isGenuine(from, claim.own(), now)
        && certificates.isGenuine(from, claim.below(), now)
        && certificates.isGenuine(from, claim.above(), now);
  }

  /** Takes a vote over; false if it proves nothing or is older than what is known. */
  boolean take(NodeId from, ZoneVote vote, Moment now) {
    if (!isProven(from, vote.claim(), now)) {
      return false;
    }
    sightings.note(from, now);
    Seat seat = seats.get(from);
    if (seat == null) {
      if (seats.size() >= MAX_MEMBERS) {
        return false;
      }
      seat = new Seat(new VoteSeat(name, sent), vote.claim());
      seats.put(from, seat);
    }
    if (isOutdated(seat, vote) || !seat.votes.take(from, vote.reply(), now, settings.timing())) {
      return false;
    }
    seat.claim = vote.claim(); // One for each member: who claims twice has claimed the last.
    return true;
  }

  /** Whether the zone has changed since: space that another has by now would count again. */
  private static boolean isOutdated(Seat seat, ZoneVote vote) {
    GrantId known = seat.votes.grant();
    return known != null
        && known.incarnation() == vote.reply().state().incarnation()
        && vote.claim().version() < seat.claim.version();
  }

  /** Those that answered, whatever it was. */
  Iterable<NodeId> members() {
    return List.copyOf(seats.keySet());
  }

  /** The members that vote for this request, and by which grants. */
  ImmutableMap<NodeId, GrantId> mine() {
    ImmutableMap.Builder<NodeId, GrantId> mine = ImmutableMap.builder();
    seats.forEach(
        (member, seat) -> {
          GrantId grant = seat.votes.grant();
          if (seat.votes.state() == VoteSeat.State.MINE && grant != null) {
            mine.put(member, grant);
          }
        });
    return mine.buildOrThrow();
  }

  /** The votes that were given up, by members, so that it can be said once more. */
  ImmutableMap<NodeId, GrantId> yielded() {
    ImmutableMap.Builder<NodeId, GrantId> given = ImmutableMap.builder();
    seats.forEach(
        (member, seat) -> {
          GrantId grant = seat.votes.grant();
          if (seat.votes.state() == VoteSeat.State.YIELDED && grant != null) {
            given.put(member, grant);
          }
        });
    return given.buildOrThrow();
  }

  /** The vote of a member counts no more, whatever becomes of the message that says so. */
  void giveUp(NodeId member) {
    Seat seat = seats.get(member);
    if (seat != null) {
      seat.votes.yielded();
    }
  }

  /** Whether a claim stands: nobody that has shown itself lately is in the midst of it. */
  private boolean stands(ZoneClaim claim, Moment now) {
    return !sightings.anyIn(claim, now);
  }

  private double share(Predicate<Seat> counted, Moment now) {
    double share = 0;
    for (Seat seat : seats.values()) {
      if (counted.test(seat) && stands(seat.claim, now)) {
        share += seat.claim.share();
      }
    }
    return share;
  }

  /** The space that votes for this request. */
  double mineShare(Moment now) {
    return share(seat -> seat.votes.state() == VoteSeat.State.MINE, now);
  }

  private double answeredShare(Moment now) {
    return share(
        seat ->
            seat.votes.state() == VoteSeat.State.MINE || seat.votes.state() == VoteSeat.State.OTHER,
        now);
  }

  /** E3: whatever those say that have not answered, nobody has enough. */
  boolean isSplit(Moment now) {
    Map<RequestId, Double> others = new HashMap<>();
    for (Seat seat : seats.values()) {
      RequestId owner = seat.votes.owner();
      if (owner != null && stands(seat.claim, now)) {
        others.merge(owner, seat.claim.share(), Double::sum);
      }
    }
    double most = mineShare(now);
    for (double share : others.values()) {
      most = Math.max(most, share);
    }
    return settings.quorum().isBlockedBy(answeredShare(now) - most);
  }

  /**
   * E1: the lease that the votes give, as long as enough of the space lasts; null if too little.
   */
  @Nullable Term lease(Moment now) {
    List<Seat> lasting = new ArrayList<>();
    double most = 0;
    for (Seat seat : seats.values()) {
      Term term = seat.votes.term();
      if (term != null && !term.isOver(now)) {
        lasting.add(seat);
        most += seat.claim.share();
      }
    }
    if (!settings.quorum().isEnough(most)) { // As mostly: which claims stand need not be known.
      return null;
    }
    lasting.removeIf(seat -> !stands(seat.claim, now));
    lasting.sort(Comparator.comparingLong((Seat seat) -> remaining(seat, now)).reversed());
    double share = 0;
    for (Seat seat : lasting) {
      share += seat.claim.share();
      if (settings.quorum().isEnough(share)) {
        return seat.votes.term();
      }
    }
    return null;
  }

  private static long remaining(Seat seat, Moment now) {
    Term term = seat.votes.term();
    return term == null ? 0 : term.remainingNanos(now);
  }

  /** By which votes it holds, for checks: by members, as numbers. */
  ImmutableMap<Integer, GrantId> grants(Moment now) {
    Map<Integer, GrantId> grants = new HashMap<>();
    for (Map.Entry<NodeId, Seat> one : seats.entrySet()) {
      GrantId grant = one.getValue().votes.grant();
      Term term = one.getValue().votes.term();
      if (term != null && grant != null && !term.isOver(now)) {
        grants.put(one.getKey().hashCode(), grant);
      }
    }
    return ImmutableMap.copyOf(grants);
  }
}
