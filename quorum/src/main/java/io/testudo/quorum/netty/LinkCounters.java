package io.testudo.quorum.netty;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what went over connections, and what was refused and why; logs the first refusal of each
 * kind from each address: an attacker can make us count, but not fill a disk with lines.
 */
public final class LinkCounters {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCounters.class);

  /** Addresses and kinds that are remembered as logged; beyond it nothing more is logged. */
  private static final int MAX_LOGGED = 1_024;

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, Boolean> logged = new ConcurrentHashMap<>();
  private final Direction sent = new Direction();
  private final Direction received = new Direction();

  private static final class Direction {
    private final LongAdder frames = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(int newFrames, int newMessages, long newBytes) {
      frames.add(newFrames);
      messages.add(newMessages);
      bytes.add(newBytes);
    }

    Traffic sum() {
      return new Traffic(frames.sum(), messages.sum(), bytes.sum());
    }
  }

  LinkCounters() {}

  void sent(int frames, int messages, long bytes) {
    sent.add(frames, messages, bytes);
  }

  void received(int frames, int messages, long bytes) {
    received.add(frames, messages, bytes);
  }

  /** What was sent to peers so far. */
  public Traffic sent() {
    return sent.sum();
  }

  /** What came from peers so far, and could be read. */
  public Traffic received() {
    return received.sum();
  }

  /**
   * Counts one.
   *
   * @param kind of a small fixed set
   * @param address whose doing it was
   */
  void count(String kind, String address, String detail) {
    counts.computeIfAbsent(kind, any -> new LongAdder()).increment();
    if (logged.size() < MAX_LOGGED
        && logged.putIfAbsent(kind + " " + address, Boolean.TRUE) == null) {
      LOG.warn("{} from {}: {} (further ones are only counted)", kind, address, detail);
    }
  }

  /** How often each kind of refusal happened. */
  public Map<String, Long> counts() {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((kind, adder) -> sums.put(kind, adder.sum()));
    return sums;
  }

  /** How often one kind happened. */
  public long count(String kind) {
    LongAdder adder = counts.get(kind);
    return adder == null ? 0 : adder.sum();
  }
}
