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
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Message;
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
  private record Winner(Token token, RequestId holder) {
    /** Of a higher number, or another of the same, a release says nothing. */
    boolean isOver(TokenRelease release) {
      long seq = release.token().seq();
      return token.seq() < seq || (token.seq() == seq && holder.equals(release.by()));
    }
  }

  private final class Answers implements VoteBoxes.Answers {
    @Override
    public void answer(ReplicaName name, VoteBox box, WaitingRequest waiter) {
      reply(name, box, waiter);
    }

    @Override
    public void expired(ReplicaName name) {
      Winner last = winners.remove(name);
      if (last != null) {
        lapsed.put(new Lapsed(name, last.token().winner()), last);
      }
    }

    @Override
    public boolean isHere(ReplicaName name) {
      return overlay.owns(name.key());
    }
  }

  private final Overlay overlay;
  private final LockTiming timing;
  private final boolean answersWinners;
  private final VoteBoxes boxes;

  /** A token whose vote was over with its lease. */
  private record Lapsed(ReplicaName replica, RequestId winner) {}

  /** Of lapsed tokens the last holders are remembered, of each number one. */
  private static final int MAX_LAPSED = 4_096;

  private final Map<Lapsed, Winner> lapsed = BoundedMap.byAge(MAX_LAPSED);

  /** By the votes that belong to their tokens: none is without such a vote. */
  private final Map<ReplicaName, Winner> winners = new HashMap<>();

  E2eReplicas(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.timing = settings.timing();
    this.answersWinners = settings.confirm();
    this.boxes = new VoteBoxes(this, timing, timing.maxLeaseNanos(), entropy, new Answers());
    onMessage(VoteYield.class, (from, yield) -> onDirect(yield.replica(), yield));
    onMessage(IAmWinner.class, (from, winner) -> onDirect(winner.replica(), winner));
    onMessage(TokenRelease.class, (from, release) -> onRelease(release));
  }

  /**
   * A message to a replica that was here. One that went elsewhere gives and prolongs no vote here:
   * each that is counted and is not at the owner of its key is one of those that were reset.
   */
  private void onDirect(ReplicaName name, Message message) {
    if (!overlay.owns(name.key())) {
      overlay.route(name.key(), message);
    } else if (message instanceof VoteYield yield) {
      onYield(yield);
    } else if (message instanceof IAmWinner winner) {
      onWinner(winner);
    }
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
    Winner winner = winners.get(request.replica());
    if (winner == null) {
      box.request(waiter, now());
    } else if (!isOwner(box, waiter.id())) {
      sendToHolder(request.replica().lock(), winner, waiter);
    } // Else the vote is the token's, whose holder alone prolongs it, by messages that it numbers.
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
    Vote vote = box.vote();
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
              // What came late prolongs nothing: the lease is that of a newer message.
              isAccepted && vote != null ? vote.leased() : holder.attempt()));
    }
    boxes.watch(message.replica(), box);
  }

  /** One holder for each number of a token, and no other token while this one lives. */
  private boolean accept(VoteBox box, IAmWinner message) {
    Token token = message.token();
    WaitingRequest holder = message.holder();
    if (box.vote() != null && !isOwner(box, token.winner())) {
      return false; // Never in the place of another's vote.
    }
    Winner winner = lastHolder(message.replica(), token);
    long known = winner == null ? -1 : winner.token().seq();
    boolean isSame = winner != null && winner.holder().equals(holder.id());
    if (token.seq() < known || (token.seq() == known && !isSame)) {
      return false;
    }
    WaitingRequest renewal =
        new WaitingRequest(token.winner(), holder.leaseNanos(), holder.attempt());
    if (box.vote() == null) {
      if (!overlay.owns(message.replica().key())) {
        return false; // Another is this replica by now.
      }
      box.give(renewal, 0, now());
    }
    winners.put(message.replica(), new Winner(token, holder.id()));
    if (isSame) {
      box.prolong(renewal, now());
    } else {
      box.reassign(renewal, now());
    }
    return true;
  }

  /** Also after its lease: what was sent to a second one may come when the first has lost it. */
  private @Nullable Winner lastHolder(ReplicaName name, Token token) {
    Winner present = winners.get(name);
    return present != null ? present : lapsed.get(new Lapsed(name, token.winner()));
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
    if (winner == null || winner.isOver(release)) {
      winners.remove(release.replica());
      boxes.release(release.replica(), box, release.token().winner());
    } // Else another holds the lock by this token: only the last holder releases.
  }

  /** Votes and requests that are kept. */
  int size() {
    return boxes.size();
  }
}
