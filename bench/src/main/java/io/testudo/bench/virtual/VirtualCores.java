package io.testudo.bench.virtual;

import java.util.HashMap;
import java.util.Map;

/**
 * Cores that many nodes share, where a message costs its receiver time: what arrives waits for its
 * node, which handles one at a time, and for a core.
 */
public final class VirtualCores {
  private final VirtualTime time;
  private final long costNanos;
  private final long[] freeAtNanos;
  private final Map<Object, Long> idleAtNanos = new HashMap<>();

  /** All are idle. */
  public VirtualCores(VirtualTime time, int cores, long costNanos) {
    this.time = time;
    this.costNanos = costNanos;
    this.freeAtNanos = new long[cores];
  }

  /** A node has handled a message when it has had its turn on a core. */
  void handle(Object node, Runnable handling) {
    int core = firstFree();
    long beginNanos =
        Math.max(time.nowNanos(), Math.max(freeAtNanos[core], idleAtNanos.getOrDefault(node, 0L)));
    long endNanos = beginNanos + costNanos;
    freeAtNanos[core] = endNanos;
    idleAtNanos.put(node, endNanos);
    time.after(endNanos - time.nowNanos(), handling);
  }

  private int firstFree() {
    int first = 0;
    for (int i = 1; i < freeAtNanos.length; i++) {
      if (freeAtNanos[i] < freeAtNanos[first]) {
        first = i;
      }
    }
    return first;
  }
}
