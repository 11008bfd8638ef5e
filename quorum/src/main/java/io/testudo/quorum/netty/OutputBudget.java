package io.testudo.quorum.netty;

import java.util.HashMap;
import java.util.Map;

/**
 * How much a server may owe: bytes of answers that were made and that the network has not taken
 * yet. What one principal has waiting, on however many connections, is bounded, and what all have.
 */
final class OutputBudget {
  /** Twice what may wait for a connection. */
  static final int CONNECTIONS_PER_PRINCIPAL = 2;

  /** A part of the heap, and enough for some connections in any case. */
  private static final int HEAP_PART = 4;

  private static final int CONNECTIONS_AT_LEAST = 4;

  private final long perPrincipal;
  private final long inAll;
  private final Map<String, long[]> owed = new HashMap<>();
  private long all;

  OutputBudget(long perConnection) {
    this.perPrincipal = CONNECTIONS_PER_PRINCIPAL * perConnection;
    this.inAll =
        Math.max(
            CONNECTIONS_AT_LEAST * perConnection, Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /** Whether so much more may wait; each true needs a {@link #paid}. */
  synchronized boolean owe(String principal, int bytes) {
    long[] own = owed.get(principal);
    if ((own == null ? 0 : own[0]) + bytes > perPrincipal || all + bytes > inAll) {
      return false;
    }
    if (own == null) {
      owed.put(principal, new long[] {bytes});
    } else {
      own[0] += bytes; // In place: this is done for every answer.
    }
    all += bytes;
    return true;
  }

  /** So much has left, or will never leave. */
  synchronized void paid(String principal, long bytes) {
    long[] own = owed.get(principal);
    if (own != null) {
      own[0] -= bytes;
      if (own[0] == 0) {
        owed.remove(principal);
      }
    }
    all -= bytes;
  }

  /** What waits now. */
  synchronized long owed() {
    return all;
  }
}
