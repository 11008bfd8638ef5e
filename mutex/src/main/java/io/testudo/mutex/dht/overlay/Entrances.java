package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members through which a node joins or, beside the ring, enters; there they are kept fresh. */
final class Entrances {
  private static final int MAX_CONTACTS = 8;

  private ImmutableList<NodeId> contacts;
  private int nextContact;

  /**
   * The one that a client beside the ring enters through, as long as it answers: what is said of
   * one request takes one way, on which hops keep what they know of it.
   */
  private @Nullable NodeId present;

  /** Whom it has asked for members, until that one answers. */
  private @Nullable NodeId asked;

  Entrances(List<NodeId> contacts) {
    this.contacts = ImmutableList.copyOf(contacts);
  }

  boolean isEmpty() {
    return contacts.isEmpty();
  }

  ImmutableList<NodeId> all() {
    return contacts;
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
    NodeId next = next();
    asked = next;
    return next;
  }

  /** Those who answer stay; the others were heard of lately by one who does. */
  void answered(NodeId from, List<NodeId> known) {
    if (from.equals(asked)) {
      asked = null;
    }
    Set<NodeId> fresh = new LinkedHashSet<>();
    fresh.add(from);
    fresh.addAll(known);
    contacts = fresh.stream().limit(MAX_CONTACTS).collect(ImmutableList.toImmutableList());
    nextContact = 0;
  }
}
