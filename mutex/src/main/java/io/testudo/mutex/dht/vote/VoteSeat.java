package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Moment;
import org.jspecify.annotations.Nullable;

/** What one request knows of one replica. */
public final class VoteSeat {
  /** Whom the replica votes for, as far as is known. */
  public enum State {
    /** Nothing is known. */
    UNHEARD,
    /** This request. */
    MINE,
    /** This request, but it has yielded that vote. */
    YIELDED,
    /** Another. */
    OTHER
  }

  private final ReplicaName replica;
  private final SentMessages sent;
  private State state = State.UNHEARD;
  private @Nullable GrantId grant;
  private @Nullable RequestId owner;
  private @Nullable NodeId holder;
  private @Nullable NodeId place;
  private @Nullable Term term;
  private long heardEcho;

  /**
   * Nothing is known yet.
   *
   * @param sent what the replica is asked by; several may be asked by the same messages
   */
  public VoteSeat(ReplicaName replica, SentMessages sent) {
    this.replica = replica;
    this.sent = sent;
  }

  public ReplicaName replica() {
    return replica;
  }

  public State state() {
    return state;
  }

  /** Numbers a message that goes out now, and notes the lease that it asks for. */
  public long next(Moment now, long leaseNanos) {
    return sent.next(now, leaseNanos);
  }

  /** How long ago a message went out; for ever if that is not known. */
  long agoNanos(long attempt, Moment now) {
    return sent.agoNanos(attempt, now);
  }

  /** Where the replica is, as it has answered from there. */
  public @Nullable NodeId place() {
    return place;
  }

  /** Who has the vote, if it is another. */
  public @Nullable RequestId owner() {
    return state == State.OTHER ? owner : null;
  }

  /** Where the lock is held by the vote of another, if the replica knows. */
  public @Nullable NodeId holder() {
    return state == State.OTHER ? holder : null;
  }

  public @Nullable GrantId grant() {
    return grant;
  }

  /** Until when the vote lasts. */
  public @Nullable Term term() {
    return state == State.MINE ? term : null;
  }

  /** What was known before is known no more; numbers of messages go on. */
  void reset() {
    state = State.UNHEARD;
    term = null;
  }

  /** The vote counts no more from now on, whatever becomes of the message that says so. */
  public void yielded() {
    state = State.YIELDED;
  }

  /** Whether a state is not older than what is known. */
  private boolean isPresent(GrantId shown, long echo) {
    if (grant == null) {
      return true;
    }
    return shown.incarnation() == grant.incarnation()
        ? shown.number() >= grant.number()
        : echo > heardEcho;
  }

  /** Takes a reply over; false if it is older than what is known. */
  public boolean take(NodeId from, VoteReply reply, Moment now, LockTiming timing) {
    GrantId shown = reply.state();
    if (!isPresent(shown, reply.echo())) {
      return false;
    }
    boolean isSame = shown.equals(grant);
    heardEcho =
        grant == null || grant.incarnation() != shown.incarnation()
            ? reply.echo()
            : Math.max(heardEcho, reply.echo());
    place = from;
    grant = shown;
    if (!reply.isYours()) {
      state = reply.owner().isPresent() ? State.OTHER : State.UNHEARD;
      owner = reply.owner().orElse(null);
      holder = reply.holder().orElse(null);
      return true;
    }
    if (isSame && state == State.YIELDED) {
      return true; // A yielded vote never counts again.
    }
    if (!isSame) {
      term = null;
    }
    state = State.MINE;
    leased(reply.leased(), timing.leastNanos(reply.waitedNanos()), now);
    return true;
  }

  /** A replica has accepted this request by a token that belongs to another's vote. */
  void accepted(NodeId from, GrantId shown, long echo, Moment now) {
    if (isPresent(shown, echo)) {
      if (!shown.equals(grant)) {
        term = null; // Of a vote that is over.
      }
      heardEcho = Math.max(heardEcho, echo);
      place = from;
      grant = shown;
      state = State.MINE;
      leased(echo, 0, now);
    }
  }

  void refused(NodeId from, GrantId shown, long echo) {
    if (isPresent(shown, echo)) {
      heardEcho = Math.max(heardEcho, echo);
      place = from;
      grant = shown;
      state = State.OTHER;
      owner = null;
      holder = null;
    }
  }

  private void leased(long attempt, long waitedNanos, Moment now) {
    Term named = sent.leaseOf(attempt, waitedNanos, now);
    Term known = term;
    if (named != null && (known == null || named.remainingNanos(now) > known.remainingNanos(now))) {
      term = named;
    }
  }
}
