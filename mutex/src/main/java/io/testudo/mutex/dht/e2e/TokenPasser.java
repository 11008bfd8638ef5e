package io.testudo.mutex.dht.e2e;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a node that gets rid of tokens: it hands one to the first who waits and answers, or
 * releases the votes if nobody does. All that it sends of one token to different nodes has the same
 * number, of which replicas accept one holder.
 */
final class TokenPasser extends Part<NodeId> {
  private static final int MAX_SUCCESSORS = 1_024;

  /** So often one who does not answer is sent the token. */
  private static final int TRIES = 3;

  /** Requests in all hand-offs that are under way; beyond, a token is left to its leases. */
  private static final int MAX_WAITING = 131_072;

  private record Unanswered(String lock, RequestId winner) implements TimerKey {}

  private static final class HandOff {
    final Token token;
    final RequestId from;
    WaitingRequest to;
    final List<WaitingRequest> rest;
    final long untilNanos;
    int tries = 1;

    HandOff(
        Token token,
        RequestId from,
        WaitingRequest to,
        List<WaitingRequest> rest,
        long untilNanos) {
      this.token = token;
      this.from = from;
      this.untilNanos = untilNanos;
      this.to = to;
      this.rest = rest;
    }
  }

  private record Successor(RequestId request, long untilNanos) {}

  private final Overlay overlay;
  private final E2eSettings settings;
  private final Map<Unanswered, HandOff> handOffs = new HashMap<>();
  private final Map<String, Successor> successors = BoundedMap.byAge(MAX_SUCCESSORS);

  TokenPasser(Part<NodeId> node, Overlay overlay, E2eSettings settings) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    onMessage(TokenReceipt.class, this::onReceipt);
    onTimer(Unanswered.class, this::onUnanswered);
  }

  /** Whom a lock was handed to from here, not long ago. */
  Optional<RequestId> successor(String lock) {
    Successor known = successors.get(lock);
    return known == null || known.untilNanos() - now().nanos() <= 0
        ? Optional.empty()
        : Optional.of(known.request());
  }

  /** The lock is here again. */
  void forgetSuccessor(String lock) {
    successors.remove(lock);
  }

  /**
   * Hands a token to the first of those who wait.
   *
   * @param token with the number that it is to have there
   * @param from the request that is over
   */
  void pass(String lock, Token token, RequestId from, Collection<WaitingRequest> waiting) {
    int underWay = handOffs.values().stream().mapToInt(one -> one.rest.size() + 1).sum();
    if (underWay + waiting.size() > MAX_WAITING) {
      return;
    }
    List<WaitingRequest> rest = new ArrayList<>(waiting);
    WaitingRequest first = rest.remove(0);
    Unanswered key = new Unanswered(lock, token.winner());
    long untilNanos = now().nanos() + settings.timing().maxLeaseNanos();
    HandOff handOff = new HandOff(token, from, first, rest, untilNanos);
    handOffs.put(key, handOff);
    send(key, handOff);
  }

  private void send(Unanswered key, HandOff handOff) {
    NodeId next = handOff.to.id().client();
    successors.put(
        key.lock(), new Successor(handOff.to.id(), now().nanos() + settings.entryNanos()));
    send(
        next,
        new TokenPass(
            key.lock(), handOff.token, handOff.to.id(), ImmutableList.copyOf(handOff.rest)));
    setTimer(key, settings.answerNanos());
  }

  private void onReceipt(NodeId from, TokenReceipt receipt) {
    Unanswered key = new Unanswered(receipt.lock(), receipt.token().winner());
    HandOff handOff = handOffs.get(key);
    if (handOff != null
        && handOff.token.equals(receipt.token())
        && handOff.to.id().equals(receipt.to())) {
      handOffs.remove(key);
      cancelTimer(key);
    }
  }

  private void onUnanswered(Unanswered key) {
    HandOff handOff = handOffs.get(key);
    if (handOff == null) {
      return;
    }
    boolean isOver = handOff.untilNanos - now().nanos() <= 0; // And with it the token's leases.
    if (handOff.tries < TRIES && !isOver) {
      handOff.tries++;
      send(key, handOff);
    } else if (!handOff.rest.isEmpty() && !isOver) {
      // The number stays: if the silent one was handed the token all the same, one of both enters.
      handOff.tries = 1;
      handOff.to = handOff.rest.remove(0);
      send(key, handOff);
    } else {
      handOffs.remove(key);
      successors.remove(key.lock());
      // Where one of the silent was accepted, it keeps the vote.
      release(key.lock(), handOff.token, handOff.from);
    }
  }

  /** RELEASE to all replicas, along what hops have noted. */
  void release(String lock, Token token, RequestId by) {
    for (int i = 0; i < settings.thresholds().servers(); i++) {
      ReplicaName replica = new ReplicaName(lock, i);
      overlay.route(replica.key(), new TokenRelease(replica, token, by));
    }
  }
}
