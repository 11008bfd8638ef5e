package io.testudo.mutex.dht.vote;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one request knows of all replicas of its lock, with Sigma's rules E1 to E3. */
public final class VoteSeats {
  private final Thresholds thresholds;
  private final LockTiming timing;
  private final ImmutableList<VoteSeat> seats;

  public VoteSeats(String lock, Thresholds thresholds, LockTiming timing) {
    this.thresholds = thresholds;
    this.timing = timing;
    ImmutableList.Builder<VoteSeat> all = ImmutableList.builder();
    for (int i = 0; i < thresholds.servers(); i++) {
      all.add(new VoteSeat(new ReplicaName(lock, i), new SentMessages()));
    }
    this.seats = all.build();
  }

  public ImmutableList<VoteSeat> all() {
    return seats;
  }

  /** Those in one state. */
  public ImmutableList<VoteSeat> in(VoteSeat.State state) {
    return seats.stream()
        .filter(seat -> seat.state() == state)
        .collect(ImmutableList.toImmutableList());
  }

  private int count(VoteSeat.State state) {
    int count = 0;
    for (VoteSeat seat : seats) {
      count += seat.state() == state ? 1 : 0;
    }
    return count;
  }

  /** Takes a reply over; false if it says nothing new, or is not of this lock. */
  public boolean take(NodeId from, VoteReply reply, Moment now) {
    int index = reply.replica().index();
    return index >= 0 && index < seats.size() && seats.get(index).take(from, reply, now, timing);
  }

  /** How long ago the message went out that a reply answers; for ever if that is not known. */
  public long agoNanos(VoteReply reply, Moment now) {
    int index = reply.replica().index();
    return index < seats.size() ? seats.get(index).agoNanos(reply.echo(), now) : Long.MAX_VALUE;
  }

  /** A replica has accepted, or not, that the lock is held here by a token. */
  public void answered(
      NodeId from, int index, boolean isAccepted, GrantId state, long echo, Moment now) {
    if (index < 0 || index >= seats.size()) {
      return;
    }
    if (isAccepted) {
      seats.get(index).accepted(from, state, echo, now);
    } else {
      seats.get(index).refused(from, state, echo);
    }
  }

  /** All is to be heard anew. */
  public void reset() {
    seats.forEach(VoteSeat::reset);
  }

  /** E1: as many replicas as one needs vote for this request. */
  public boolean hasEnough() {
    return count(VoteSeat.State.MINE) >= thresholds.consents();
  }

  /** Whether so many are against it that the rest is not enough, as things stand. */
  public boolean isOutvoted() {
    return count(VoteSeat.State.OTHER) > thresholds.toleratedDenials();
  }

  /** The lease that the votes give: as long as enough of them last. Null if they are too few. */
  public @Nullable Term lease(Moment now) {
    List<Term> terms = new ArrayList<>(seats.size());
    for (VoteSeat seat : seats) {
      Term term = seat.term();
      if (term != null) {
        terms.add(term);
      }
    }
    return Term.ofEnough(terms, thresholds.consents(), now);
  }

  private Map<RequestId, Integer> others() {
    Map<RequestId, Integer> votes = new HashMap<>();
    for (VoteSeat seat : seats) {
      RequestId owner = seat.owner();
      if (owner != null) {
        votes.merge(owner, 1, Integer::sum);
      }
    }
    return votes;
  }

  /** E2: another that has enough. */
  public Optional<RequestId> winner() {
    return others().entrySet().stream()
        .filter(one -> one.getValue() >= thresholds.consents())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Where the lock is held by another's votes: as a replica says, else where they were won. */
  public Optional<NodeId> holderOf(RequestId other) {
    for (VoteSeat seat : seats) {
      if (other.equals(seat.owner()) && seat.holder() != null) {
        return Optional.ofNullable(seat.holder());
      }
    }
    return Optional.of(other.client());
  }

  /** How many replicas have said whom they vote for. */
  public boolean enoughAnswered() {
    return count(VoteSeat.State.MINE) + count(VoteSeat.State.OTHER) >= thresholds.consents();
  }

  /** E3: whoever those are that have not answered, nobody has enough. */
  public boolean isSplit() {
    int most = count(VoteSeat.State.MINE);
    for (int votes : others().values()) {
      most = Math.max(most, votes);
    }
    int answered = count(VoteSeat.State.MINE) + count(VoteSeat.State.OTHER);
    return most + thresholds.servers() - answered < thresholds.consents();
  }

  /** By which votes it holds, for checks. */
  public ImmutableMap<Integer, GrantId> grants(Moment now) {
    ImmutableMap.Builder<Integer, GrantId> grants = ImmutableMap.builder();
    for (VoteSeat seat : seats) {
      GrantId grant = seat.grant();
      Term term = seat.term();
      if (term != null && grant != null && !term.isOver(now)) {
        grants.put(seat.replica().index(), grant);
      }
    }
    return grants.buildOrThrow();
  }
}
