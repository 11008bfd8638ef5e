package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.OverlayMessage;
import io.testudo.quorum.protocol.Message;
import java.util.EnumMap;
import java.util.Map;

/** How many messages there were, of each kind apart, so that every figure says what it counts. */
public final class RingTraffic {
  /** What a message is there for. */
  public enum Kind {
    /** A word of the mutex, sent directly. */
    PROTOCOL,
    /** A word of the mutex on one hop of its way through the overlay. */
    HOP,
    /** Receipts of hops. */
    RECEIPT,
    /** Joins, probes, repairs: what the overlay costs without any lock. */
    MAINTENANCE
  }

  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  /** Nothing yet. */
  public RingTraffic() {}

  static Kind kindOf(Message message) {
    if (message instanceof Hop hop) {
      return hop.payload() instanceof OverlayMessage ? Kind.MAINTENANCE : Kind.HOP;
    }
    if (message instanceof HopReceipt) {
      return Kind.RECEIPT;
    }
    return message instanceof OverlayMessage ? Kind.MAINTENANCE : Kind.PROTOCOL;
  }

  void count(Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  public long of(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The messages of the mutex: what was sent directly, and each hop of what was routed. */
  public long ofMutex() {
    return of(Kind.PROTOCOL) + of(Kind.HOP);
  }

  /** All messages. */
  public long all() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
