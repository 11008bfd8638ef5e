package io.testudo.bench.contention.counter;

import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Thresholds;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param thresholds of the mode's need
 * @param clients that increment, each again and again
 * @param readers that read again and again
 * @param roundTripNanos on average; one way takes 0.4 to 0.6 of it
 * @param thinkNanos for how long a client is idle between two increments
 * @param fault null if all goes well
 * @param inOrder whether no message overtakes another of the same connection
 * @param turns by what clients settle who orders
 * @param computing what a message costs its receiver
 */
record CounterCase(
    Mode mode,
    Thresholds thresholds,
    int clients,
    int readers,
    long roundTripNanos,
    long thinkNanos,
    @Nullable CounterFault fault,
    boolean inOrder,
    TurnsBy turns,
    Computing computing) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  /**
   * What computing takes.
   *
   * @param costNanos for each message that somebody receives; 0 if it takes no time
   * @param cores that all servers and the process of all clients share
   */
  record Computing(long costNanos, int cores) {
    static final Computing NONE = new Computing(0, 1);

    boolean takesTime() {
      return costNanos > 0;
    }

    double costMicros() {
      return costNanos / NANOS_PER_MICRO;
    }
  }

  /** With turns by rank, and computing that takes no time. */
  CounterCase(
      Mode mode,
      Thresholds thresholds,
      int clients,
      int readers,
      long roundTripNanos,
      long thinkNanos,
      @Nullable CounterFault fault,
      boolean inOrder) {
    this(
        mode,
        thresholds,
        clients,
        readers,
        roundTripNanos,
        thinkNanos,
        fault,
        inOrder,
        TurnsBy.RANK,
        Computing.NONE);
  }

  String modeName() {
    return mode.need().modeName();
  }

  String turnsName() {
    return turns.name().toLowerCase(Locale.ROOT);
  }

  double roundTripMillis() {
    return roundTripNanos / NANOS_PER_MILLI;
  }

  double thinkMillis() {
    return thinkNanos / NANOS_PER_MILLI;
  }

  boolean holderDies() {
    return CounterFault.HOLDER_DIES.equals(fault);
  }

  /** Whether a server lies. */
  boolean isLiedTo() {
    return fault != null && fault.lie() != null;
  }

  @Override
  public String toString() {
    return "%s, turns by %s, %d servers, %d clients, %d readers, round trip %s ms, idle %s ms, %s%s%s"
        .formatted(
            modeName(),
            turnsName(),
            thresholds.servers(),
            clients,
            readers,
            roundTripMillis(),
            thinkMillis(),
            fault == null ? "no fault" : fault.name(),
            inOrder ? ", in order" : "",
            computing.takesTime()
                ? ", a message costs %s us on %d cores"
                    .formatted(computing.costMicros(), computing.cores())
                : "");
  }
}
