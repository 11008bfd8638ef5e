package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.Vote;
import io.testudo.mutex.dht.vote.VoteBox;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that is a logical replica of locks. Its vote belongs to a token from the first
 * request that gets it to the release by the last holder, however many hold the lock between.
 */
final class E2eReplicas extends Part<NodeId> {
  /** Of more locks those go that nobody counts on. */
  private static final int MAX_BOXES = 100_000;

  private record LeaseEnd(ReplicaName replica) implements TimerKey {}

  /** A holder that was accepted. */
  private record Winner(Token token, RequestId holder) {}

  private static final class Replica {
    final VoteBox votes;
    @Nullable Winner winner;

    Replica(VoteBox votes) {
      this.votes = votes;
    }
  }

  private final Overlay overlay;
  private final LockTiming timing;
  private final boolean answersWinners;
  private final long incarnation;
  private final Map<ReplicaName, Replica> replicas = new LinkedHashMap<>();
  private long lastState;

  E2eReplicas(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.timing = settings.timing();
    this.answersWinners = settings.confirm();
    this.incarnation = entropy.nextLong();
    onMessage(VoteYield.class, (from, yield) -> onYield(yield));
    onMessage(IAmWinner.class, (from, winner) -> onWinner(winner));
    onMessage(TokenRelease.class, (from, release) -> onRelease(release));
    onTimer(LeaseEnd.class, due -> onLeaseEnd(due.replica()));
  }

  private @Nullable Replica open(ReplicaName name, long leaseNanos) {
    // A shortened lease would end before its client believes it does.
    if (leaseNanos > timing.maxLeaseNanos()) {
      return null;
    }
    Replica known = replicas.get(name);
    if (known == null) {
      if (replicas.size() >= MAX_BOXES) {
        replicas.values().removeIf(replica -> replica.votes.isIdle());
      }
      if (replicas.size() >= MAX_BOXES) {
        return null;
      }
      known = new Replica(new VoteBox(timing, () -> new GrantId(incarnation, ++lastState)));
      replicas.put(name, known);
    }
    expire(name, known);
    return known;
  }

  private void expire(ReplicaName name, Replica replica) {
    if (replica.votes.expire(now())) {
      replica.winner = null;
      serveNext(name, replica);
    }
  }

  private void onLeaseEnd(ReplicaName name) {
    Replica replica = replicas.get(name);
    if (replica != null) {
      expire(name, replica);
      watch(name, replica);
    }
  }

  private void watch(ReplicaName name, Replica replica) {
    Vote vote = replica.votes.vote();
    if (vote != null) {
      setTimer(new LeaseEnd(name), Math.max(0, vote.endNanos() - now().nanos()) + 1);
    }
  }

  private void serveNext(ReplicaName name, Replica replica) {
    replica
        .votes
        .serveNext(now(), timing.maxLeaseNanos())
        .ifPresent(waiter -> reply(name, replica, waiter));
  }

  void onRequest(VoteRequest request) {
    WaitingRequest waiter = request.waiter();
    Replica replica = open(request.replica(), waiter.leaseNanos());
    if (replica == null || replica.votes.hasLeft(waiter.id())) {
      return;
    }
    replica.votes.request(waiter, now());
    Winner winner = replica.winner;
    boolean isOwner = isOwner(replica, waiter.id());
    if (winner != null && !isOwner) {
      replica.votes.stopWaiting(waiter.id());
      sendToHolder(request.replica().lock(), winner, waiter);
    }
    reply(request.replica(), replica, waiter);
    watch(request.replica(), replica);
  }

  private static boolean isOwner(Replica replica, RequestId id) {
    Vote vote = replica.votes.vote();
    return vote != null && vote.owner().equals(id);
  }

  private void sendToHolder(String lock, Winner winner, WaitingRequest waiter) {
    if (!winner.holder().equals(waiter.id())) {
      send(winner.holder().client(), new Enqueue(lock, waiter, 0));
    }
  }

  private void reply(ReplicaName name, Replica replica, WaitingRequest waiter) {
    Optional<NodeId> holder =
        Optional.ofNullable(replica.winner).map(winner -> winner.holder().client());
    send(waiter.id().client(), replica.votes.reply(name, waiter, holder));
  }

  void onYield(VoteYield yield) {
    Replica replica = open(yield.replica(), yield.waiter().leaseNanos());
    WaitingRequest waiter = yield.waiter();
    if (replica == null || replica.votes.hasLeft(waiter.id())) {
      return;
    }
    // Only a vote that was not won is given up, and only the one that is named.
    if (replica.votes.has(waiter.id(), yield.grant()) && replica.winner == null) {
      replica.votes.clear();
      if (yield.waits()) {
        replica.votes.await(waiter, now());
      }
      serveNext(yield.replica(), replica);
    } else if (yield.waits() && !isOwner(replica, waiter.id())) {
      onRequest(new VoteRequest(yield.replica(), waiter, false)); // What it yields is gone.
      return;
    }
    if (yield.waits() && !isOwner(replica, waiter.id())) {
      reply(yield.replica(), replica, waiter);
    }
    watch(yield.replica(), replica);
  }

  void onWinner(IAmWinner message) {
    WaitingRequest holder = message.holder();
    Replica replica = open(message.replica(), holder.leaseNanos());
    if (replica == null) {
      return;
    }
    boolean isAccepted =
        !replica.votes.hasLeft(message.token().winner()) && accept(replica, message);
    if (isAccepted) {
      Winner winner = new Winner(message.token(), holder.id());
      replica
          .votes
          .drain()
          .forEach(waiter -> sendToHolder(message.replica().lock(), winner, waiter));
    }
    if (answersWinners) {
      send(
          holder.id().client(),
          new WinnerReply(
              message.replica(),
              message.token(),
              holder.id(),
              isAccepted,
              replica.votes.state(),
              holder.attempt()));
    }
    watch(message.replica(), replica);
  }

  /** One holder for each number of a token, and no other token while this one lives. */
  private boolean accept(Replica replica, IAmWinner message) {
    Token token = message.token();
    WaitingRequest holder = message.holder();
    if (replica.votes.vote() == null) {
      if (!overlay.owns(message.replica().key())) {
        return false; // Another is this replica by now.
      }
      replica.votes.give(
          new WaitingRequest(token.winner(), holder.leaseNanos(), holder.attempt()), 0, now());
    }
    if (!isOwner(replica, token.winner())) {
      return false; // Never in the place of another's vote.
    }
    Winner winner = replica.winner;
    long known = winner == null ? -1 : winner.token().seq();
    boolean isSame = winner != null && winner.holder().equals(holder.id());
    if (token.seq() < known || (token.seq() == known && !isSame)) {
      return false;
    }
    replica.winner = new Winner(token, holder.id());
    WaitingRequest renewal =
        new WaitingRequest(token.winner(), holder.leaseNanos(), holder.attempt());
    if (isSame) {
      replica.votes.prolong(renewal, now());
    } else {
      replica.votes.reassign(renewal, now());
    }
    return true;
  }

  void onRelease(TokenRelease release) {
    Replica replica = open(release.replica(), 0);
    if (replica == null) {
      return;
    }
    Winner winner = replica.winner;
    boolean isItsVote = isOwner(replica, release.token().winner());
    if (isItsVote && winner != null && winner.token().seq() > release.token().seq()) {
      return; // It was handed on since: only the last holder releases.
    }
    replica.votes.leave(release.token().winner());
    if (isItsVote) {
      replica.votes.clear();
      replica.winner = null;
      serveNext(release.replica(), replica);
      watch(release.replica(), replica);
    }
  }

  /** Votes and requests that are kept. */
  int size() {
    return (int) replicas.values().stream().filter(replica -> !replica.votes.isIdle()).count();
  }
}
