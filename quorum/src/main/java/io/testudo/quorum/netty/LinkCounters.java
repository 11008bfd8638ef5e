package io.testudo.quorum.netty;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what went over connections, and what was refused and why; logs the first refusals of each
 * kind, and now and then how many more there were: an attacker can make us count, but neither fill
 * a disk with lines nor use up those of other kinds.
 */
public final class LinkCounters {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCounters.class);

  /** Lines of one kind in a while, each for another address. */
  static final int MAX_LINES = 8;

  static final long WHILE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** More of what a peer says is not repeated in a line. */
  private static final int MAX_DETAIL = 200;

  private final Map<String, Kind> kinds = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
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

  /** One kind of refusal: how many there were, and what was logged in the present while. */
  private static final class Kind {
    private final LongAdder count = new LongAdder();
    private final Set<String> logged = new HashSet<>();
    private long beganNanos;
    private long unlogged;

    /** The end of the line to write, or null for none. */
    synchronized @Nullable String line(String address, long now) {
      String before = "";
      if (now - beganNanos > WHILE_NANOS || (logged.isEmpty() && unlogged == 0)) {
        before = unlogged == 0 ? "" : ", after %d more without a line".formatted(unlogged);
        beganNanos = now;
        unlogged = 0;
        logged.clear();
      }
      if (logged.size() < MAX_LINES && logged.add(address)) {
        return before;
      }
      unlogged++;
      return null;
    }
  }

  LinkCounters() {
    this(System::nanoTime);
  }

  LinkCounters(LongSupplier nanos) {
    this.nanos = nanos;
  }

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
    Kind counted = kinds.computeIfAbsent(kind, any -> new Kind());
    counted.count.increment();
    String end = counted.line(address, nanos.getAsLong());
    if (end != null) {
      LOG.warn(
          "{} from {}: {} (further ones are only counted{})", kind, address, plain(detail), end);
    }
  }

  /** What peers say may be long and may be meant for a terminal. */
  private static String plain(String detail) {
    String cut = detail.length() > MAX_DETAIL ? detail.substring(0, MAX_DETAIL) + "..." : detail;
    return cut.replaceAll("[^ -~]", "?");
  }

  /** How often each kind of refusal happened. */
  public Map<String, Long> counts() {
    Map<String, Long> sums = new TreeMap<>();
    kinds.forEach((kind, counted) -> sums.put(kind, counted.count.sum()));
    return sums;
  }

  /** How often one kind happened. */
  public long count(String kind) {
    Kind counted = kinds.get(kind);
    return counted == null ? 0 : counted.count.sum();
  }
}
