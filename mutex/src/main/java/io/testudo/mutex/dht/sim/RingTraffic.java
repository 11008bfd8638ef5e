package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.OverlayMessage;
import io.testudo.quorum.protocol.Message;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

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

  /** Numbers in arrays: they are counted up with each message of thousands of runs. */
  private final Map<Kind, long[]> counts = new EnumMap<>(Kind.class);

  /** Nothing yet. */
  public RingTraffic() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new long[1]);
    }
  }

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
    Objects.requireNonNull(counts.get(kind))[0]++;
  }

  public long of(Kind kind) {
    return Objects.requireNonNull(counts.get(kind))[0];
  }

  /** The messages of the mutex: what was sent directly, and each hop of what was routed. */
  public long ofMutex() {
    return of(Kind.PROTOCOL) + of(Kind.HOP);
  }

  /** All messages. */
  public long all() {
    return counts.values().stream().mapToLong(count -> count[0]).sum();
  }
}
