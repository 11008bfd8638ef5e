package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.Vote;
import io.testudo.mutex.dht.vote.VoteBox;
import io.testudo.mutex.dht.vote.VoteBoxes;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that is a logical replica of locks. Its vote belongs to a token from the first
 * request that gets it to the release by the last holder, however many hold the lock between.
 */
final class E2eReplicas extends Part<NodeId> {
  /** A holder that was accepted. */
  private record Winner(Token token, RequestId holder) {}

  private final class Answers implements VoteBoxes.Answers {
    @Override
    public void answer(ReplicaName name, VoteBox box, WaitingRequest waiter) {
      reply(name, box, waiter);
    }

    @Override
    public void expired(ReplicaName name) {
      winners.remove(name);
    }
  }

  private final Overlay overlay;
  private final LockTiming timing;
  private final boolean answersWinners;
  private final VoteBoxes boxes;

  /** By the votes that belong to their tokens: none is without such a vote. */
  private final Map<ReplicaName, Winner> winners = new HashMap<>();

  E2eReplicas(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.timing = settings.timing();
    this.answersWinners = settings.confirm();
    this.boxes = new VoteBoxes(this, timing, timing.maxLeaseNanos(), entropy, new Answers());
    onMessage(VoteYield.class, (from, yield) -> onYield(yield));
    onMessage(IAmWinner.class, (from, winner) -> onWinner(winner));
    onMessage(TokenRelease.class, (from, release) -> onRelease(release));
  }

  /** A shortened lease would end before its client believes it does, so a longer one is none. */
  private @Nullable VoteBox open(ReplicaName name, long leaseNanos) {
    return leaseNanos > timing.maxLeaseNanos() ? null : boxes.open(name);
  }

  void onRequest(VoteRequest request) {
    WaitingRequest waiter = request.waiter();
    VoteBox box = open(request.replica(), waiter.leaseNanos());
    if (box == null || box.hasLeft(waiter.id())) {
      return;
    }
    box.request(waiter, now());
    Winner winner = winners.get(request.replica());
    boolean isOwner = isOwner(box, waiter.id());
    if (winner != null && !isOwner) {
      box.stopWaiting(waiter.id());
      sendToHolder(request.replica().lock(), winner, waiter);
    }
    reply(request.replica(), box, waiter);
    boxes.watch(request.replica(), box);
  }

  private static boolean isOwner(VoteBox box, RequestId id) {
    Vote vote = box.vote();
    return vote != null && vote.owner().equals(id);
  }

  private void sendToHolder(String lock, Winner winner, WaitingRequest waiter) {
    if (!winner.holder().equals(waiter.id())) {
      send(winner.holder().client(), new Enqueue(lock, waiter, 0));
    }
  }

  private void reply(ReplicaName name, VoteBox box, WaitingRequest waiter) {
    Optional<NodeId> holder =
        Optional.ofNullable(winners.get(name)).map(winner -> winner.holder().client());
    send(waiter.id().client(), box.reply(name, waiter, holder));
  }

  void onYield(VoteYield yield) {
    VoteBox box = open(yield.replica(), yield.waiter().leaseNanos());
    WaitingRequest waiter = yield.waiter();
    if (box == null || box.hasLeft(waiter.id())) {
      return;
    }
    // Only a vote that was not won is given up, and only the one that is named.
    if (box.has(waiter.id(), yield.grant()) && !winners.containsKey(yield.replica())) {
      box.clear();
      if (yield.waits()) {
        box.await(waiter, now());
      }
      boxes.serveNext(yield.replica(), box);
    } else if (yield.waits() && !isOwner(box, waiter.id())) {
      onRequest(new VoteRequest(yield.replica(), waiter, false)); // What it yields is gone.
      return;
    }
    if (yield.waits() && !isOwner(box, waiter.id())) {
      reply(yield.replica(), box, waiter);
    }
    boxes.watch(yield.replica(), box);
  }

  void onWinner(IAmWinner message) {
    WaitingRequest holder = message.holder();
    VoteBox box = open(message.replica(), holder.leaseNanos());
    if (box == null) {
      return;
    }
    boolean isAccepted = !box.hasLeft(message.token().winner()) && accept(box, message);
    if (isAccepted) {
      Winner winner = new Winner(message.token(), holder.id());
      box.drain().forEach(waiter -> sendToHolder(message.replica().lock(), winner, waiter));
    }
    if (answersWinners) {
      send(
          holder.id().client(),
          new WinnerReply(
              message.replica(),
              message.token(),
              holder.id(),
              isAccepted,
              box.state(),
              holder.attempt()));
    }
    boxes.watch(message.replica(), box);
  }

  /** One holder for each number of a token, and no other token while this one lives. */
  private boolean accept(VoteBox box, IAmWinner message) {
    Token token = message.token();
    WaitingRequest holder = message.holder();
    if (box.vote() == null) {
      if (!overlay.owns(message.replica().key())) {
        return false; // Another is this replica by now.
      }
      box.give(new WaitingRequest(token.winner(), holder.leaseNanos(), holder.attempt()), 0, now());
    }
    if (!isOwner(box, token.winner())) {
      return false; // Never in the place of another's vote.
    }
    Winner winner = winners.get(message.replica());
    long known = winner == null ? -1 : winner.token().seq();
    boolean isSame = winner != null && winner.holder().equals(holder.id());
    if (token.seq() < known || (token.seq() == known && !isSame)) {
      return false;
    }
    winners.put(message.replica(), new Winner(token, holder.id()));
    WaitingRequest renewal =
        new WaitingRequest(token.winner(), holder.leaseNanos(), holder.attempt());
    if (isSame) {
      box.prolong(renewal, now());
    } else {
      box.reassign(renewal, now());
    }
    return true;
  }

  void onRelease(TokenRelease release) {
    VoteBox box = open(release.replica(), 0);
    if (box == null) {
      return;
    }
    if (!isOwner(box, release.token().winner())) {
      box.leave(release.token().winner());
      return;
    }
    Winner winner = winners.get(release.replica());
    if (winner == null || winner.token().seq() <= release.token().seq()) {
      winners.remove(release.replica());
      boxes.release(release.replica(), box, release.token().winner());
    } // Else it was handed on since: only the last holder releases.
  }

  /** Votes and requests that are kept. */
  int size() {
    return boxes.size();
  }
}
