package io.testudo.ordering.client;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.MemoryEpochs;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One readmission, with how far it has come. */
final class Errand {
  /** What is being done; each phase but the last leads to the next. */
  enum Phase {
    /** The server that lost its memory is asked for the epoch of its new one. */
    ASKING,
    /** The others are told of the loss; a quorum of them has to take note of it. */
    NOTING,
    /** Those that took note list the names that they know, page by page. */
    LISTING,
    /** Servers that are said to have lost their memory, too, are asked whether they did. */
    CHECKING,
    /** The server is told all names: every other object is new to it. */
    COMPLETING,
    /** The server lists the objects of which it may have forgotten something. */
    LOOKING,
    /** It is brought up to date with those, one after the other. */
    RESTORING,
    /** It is asked how many of them are left. */
    CLOSING
  }

  final CallId<Readmitted> call;
  final ServerId server;
  final long timeoutNanos;
  Phase phase = Phase.ASKING;
  long sinceNanos;

  /** Of the memory of the server that is let in. */
  long epoch;

  /** Those that took note of its loss, with the memories in which they did. */
  final Map<ServerId, Long> noted = new TreeMap<>();

  /** Those that lost their memory, too, and do not know which objects are new. */
  ServerSet incomplete = ServerSet.none();

  /** Those that have noted a later memory of the server. */
  ServerSet overtaken = ServerSet.none();

  final Map<ServerId, NameListing> listings = new TreeMap<>();
  final MemoryEpochs lost = new MemoryEpochs();
  ImmutableSortedSet<String> names = ImmutableSortedSet.of();
  Set<String> worthRestoring = Set.of();
  NameListing own = new NameListing(1);
  final Deque<String> toRestore = new ArrayDeque<>();
  int restorable;
  int restored;
  int failures;

  Errand(CallId<Readmitted> call, ReadmitObjects readmit) {
    this.call = call;
    this.server = readmit.server();
    this.timeoutNanos = readmit.timeoutNanos();
  }

  MemoryEpoch loss() {
    return new MemoryEpoch(server, epoch);
  }
}
