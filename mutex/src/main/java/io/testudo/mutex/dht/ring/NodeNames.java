package io.testudo.mutex.dht.ring;

import com.google.common.primitives.Longs;
import io.testudo.crypto.Digest;
import io.testudo.mutex.dht.overlay.NodeId;

/**
 * Ids of nodes, which are bound to keys: a principal cannot say that it is another's node. A member
 * has the same id at each start, so that it comes back to its place, with no memory.
 */
public final class NodeNames {
  private NodeNames() {}

  /** The member that a principal runs. */
  public static NodeId member(String principal) {
    return of(Digest.builder("testudo-ring-member").add(principal).build());
  }

  /** A client beside the ring: one for each start of a process. */
  static NodeId client(String principal, long session) {
    return of(Digest.builder("testudo-ring-client").add(principal).add(session).build());
  }

  private static NodeId of(Digest digest) {
    long bits = Longs.fromByteArray(digest.toByteArray());
    return new NodeId(bits == 0 ? 1 : bits); // 0 is whoever is there.
  }
}
