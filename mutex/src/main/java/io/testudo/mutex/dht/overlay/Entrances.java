package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.quorum.protocol.BoundedMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members through which a node joins or, beside the ring, enters; there they are kept fresh. */
final class Entrances {
  private static final int MAX_CONTACTS = 8;

  /** After so many more questions it counts no more that one has answered. */
  static final int ASKS_REMEMBERED = 64;

  /** So many as have answered themselves. */
  private static final int MAX_ANSWERED = 512;

  private ImmutableList<NodeId> contacts;
  private int nextContact;
  private int asks;

  /**
   * The one that a client beside the ring enters through, as long as it answers: what is said of
   * one request takes one way, on which hops keep what they know of it.
   */
  private @Nullable NodeId present;

  /** Whom it has asked for members, until that one answers. */
  private @Nullable NodeId asked;

  /** Who has answered itself and not been silent since: no other can keep those out of sight. */
  private final Map<NodeId, Integer> answered = BoundedMap.byUse(MAX_ANSWERED);

  Entrances(List<NodeId> contacts) {
    this.contacts = ImmutableList.copyOf(contacts);
  }

  boolean isEmpty() {
    return contacts.isEmpty();
  }

  /** Through which it enters in turn. */
  ImmutableList<NodeId> all() {
    return contacts;
  }

  /** Those, and all that have answered. */
  ImmutableList<NodeId> known() {
    answered.values().removeIf(when -> asks - when > ASKS_REMEMBERED);
    return ImmutableSet.<NodeId>builder()
        .addAll(contacts)
        .addAll(answered.keySet())
        .build()
        .asList();
  }

  /** One after the other. */
  NodeId next() {
    return contacts.get(nextContact++ % contacts.size());
  }

  NodeId present() {
    NodeId chosen = present;
    if (chosen == null) {
      chosen = contacts.get(nextContact % contacts.size());
      present = chosen;
    }
    return chosen;
  }

  /** It gives no answer: the next one takes its place. */
  void avoid(NodeId silent) {
    answered.remove(silent);
    if (silent.equals(present)) {
      present = null;
      nextContact++;
    }
  }

  /** Whom to ask for members now; the one that was asked before and is silent is avoided. */
  NodeId ask() {
    if (asked != null) {
      avoid(asked);
    }
    asks++;
    NodeId next = next();
    asked = next;
    return next;
  }

  /** Those who answer stay; the others were heard of lately by one who does. */
  void answered(NodeId from, List<NodeId> known) {
    if (from.equals(asked)) {
      asked = null;
    }
    answered.put(from, asks);
    Set<NodeId> fresh = new LinkedHashSet<>();
    fresh.add(from);
    fresh.addAll(known);
    contacts = fresh.stream().limit(MAX_CONTACTS).collect(ImmutableList.toImmutableList());
    nextContact = 0;
  }
}
