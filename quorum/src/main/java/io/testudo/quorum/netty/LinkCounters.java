package io.testudo.quorum.netty;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what was refused and why, and logs the first of each kind from each address: an attacker
 * can make us count, but not fill a disk with lines.
 */
public final class LinkCounters {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCounters.class);

  /** Addresses and kinds that are remembered as logged; beyond it nothing more is logged. */
  private static final int MAX_LOGGED = 1_024;

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, Boolean> logged = new ConcurrentHashMap<>();

  LinkCounters() {}

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
