package io.testudo.node.ring;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.NodeId;

/** A ring of processes, or in this one, whose members contend for a lock. */
interface PlayedRing extends AutoCloseable {
  /** A new member comes; gives its name when it has found its place. */
  String join();

  /** The names of those that live, and their ids. */
  ImmutableMap<String, NodeId> members();

  /** A member contends for the lock from now on, again and again. */
  void contend(String member);

  /** Ends a member without a word. */
  void kill(String member);

  /** Names of members whose neighbours are not those that they should be. */
  ImmutableList<String> misplaced();

  @Override
  void close();
}
