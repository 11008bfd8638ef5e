package io.testudo.bench.results;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a figure by its name in a row of the output contract. All other fields of a row
 * tell cases apart, or say how they were measured.
 *
 * @param label for people
 * @param isPlotted whether a plot of it says something that its table does not
 * @param insteadOf the figure that this one, a ratio within one run, is to be judged in place of
 */
public record MetricKind(
    String label, String unit, Better better, boolean isPlotted, @Nullable String insteadOf) {
  private static final String PER_SECOND = "1/s";
  private static final String MICROS = "us";
  private static final String RATIO = "ratio";
  private static final String TRIPS = "round trips";
  private static final String MESSAGES = "messages";
  private static final String BYTES = "bytes";

  private static final ImmutableMap<String, MetricKind> KNOWN =
      ImmutableMap.<String, MetricKind>builder()
          .put("opsPerSecond", plotted("operations/s", PER_SECOND, Better.HIGHER))
          .put("p50Micros", plotted("median", MICROS, Better.LOWER))
          .put("p99Micros", kind("99 %", MICROS, Better.LOWER))
          .put("maxMicros", kind("longest", MICROS, Better.LOWER))
          .put("opsRatioToFloor", ratio("rate : floor", Better.HIGHER, "opsPerSecond"))
          .put("p50RatioToFloor", ratio("median : floor", Better.LOWER, "p50Micros"))
          .put("opsRatioToPing", ratio("rate : ping", Better.HIGHER, "opsPerSecond"))
          .put("p50RatioToPing", ratio("median : ping", Better.LOWER, "p50Micros"))
          .put("floorOpsPerSecond", kind("floor/s", PER_SECOND, Better.NEITHER))
          .put("floorP50Micros", kind("floor median", MICROS, Better.NEITHER))
          .put("pingOpsPerSecond", kind("pings/s", PER_SECOND, Better.NEITHER))
          .put("pingP50Micros", kind("ping median", MICROS, Better.NEITHER))
          .put("barePingMicros", kind("bare ping", MICROS, Better.NEITHER))
          .put("handOffMicros", kind("hand-off", MICROS, Better.LOWER))
          .put(
              "handOffRatioToBarePing",
              ratio("hand-off : bare ping", Better.LOWER, "handOffMicros"))
          .put("messagesPerOperation", kind("messages/op", MESSAGES, Better.LOWER))
          .put("framesPerOperation", kind("frames/op", "frames", Better.LOWER))
          .put("bytesPerOperation", kind("bytes/op", BYTES, Better.LOWER))
          .put("messagesPerTurn", kind("messages/turn", MESSAGES, Better.LOWER))
          .put("messagesPerEntry", plotted("messages/entry", MESSAGES, Better.LOWER))
          .put("bytesPerEntry", plotted("bytes/entry", BYTES, Better.LOWER))
          .put("busiestMessagesPerOperation", plotted("busiest server", MESSAGES, Better.LOWER))
          .put("busiestRatioToAll", kind("busiest : asking all", RATIO, Better.LOWER))
          .put("allocatedBytesPerOperation", kind("allocated/op", BYTES, Better.LOWER))
          .put("nanosPerOperation", plotted("time/op", "ns", Better.LOWER))
          .put("opsRatioDuring", kind("rate during : before", RATIO, Better.HIGHER))
          .put("opsRatioAfter", kind("rate after : before", RATIO, Better.HIGHER))
          .put("p99RatioDuring", kind("99 % during : before", RATIO, Better.LOWER))
          .put("p99RatioAfter", kind("99 % after : before", RATIO, Better.LOWER))
          .put("longestGapMillis", plotted("longest gap", "ms", Better.LOWER))
          .put("gapBeforeMillis", kind("longest gap before", "ms", Better.NEITHER))
          .put("secondsToNormal", kind("to 90 % under it", "s", Better.LOWER))
          .put("secondsToNormalAfter", kind("to 90 % after it", "s", Better.LOWER))
          .put("failed", kind("failed calls", "count", Better.LOWER))
          .put("violations", kind("broken promises", "count", Better.LOWER))
          .put("hung", kind("callers that hang", "count", Better.LOWER))
          .put("opsPerSecondBefore", kind("operations/s before", PER_SECOND, Better.NEITHER))
          .put("p50Millis", plotted("median", "ms", Better.LOWER))
          .put("p99Millis", plotted("99 %", "ms", Better.LOWER))
          .put("p50RatioToQuorum", kind("median : quorum", RATIO, Better.LOWER))
          .put("maxMillis", kind("longest", "ms", Better.LOWER))
          .put("heapBytesPerLock", plotted("heap per lock", BYTES, Better.LOWER))
          .put("heapBytesPerObject", plotted("heap per object", BYTES, Better.LOWER))
          .put("heapBytesPerConnection", plotted("heap per connection", BYTES, Better.LOWER))
          .put("heapBytesPerServer", plotted("heap of a server", BYTES, Better.LOWER))
          .put("journalBytesPerServer", kind("journals of a server", BYTES, Better.LOWER))
          .put("startMillis", kind("start", "ms", Better.LOWER))
          .put("readMillis", kind("plain read", "ms", Better.NEITHER))
          .put("startRatioToRead", plotted("start : plain read", RATIO, Better.LOWER))
          .put("startRatioToEmpty", kind("start : empty", RATIO, Better.LOWER))
          .put("serverHeapBytes", plotted("heap of servers", BYTES, Better.LOWER))
          .put("clientHeapBytes", kind("heap of clients", BYTES, Better.LOWER))
          .put("journalBytes", kind("journals", BYTES, Better.LOWER))
          .put("amortisedMillis", kind("amortised", "ms", Better.LOWER))
          .put("amortisedUnits", plotted("amortised", "units", Better.LOWER))
          .put("amortisedUnitsMean", kind("mean", "units", Better.LOWER))
          .put("ratioToLog", kind("mean : log2 2m", RATIO, Better.LOWER))
          .put("returningWaitUnits", kind("wait of who returns", "units", Better.LOWER))
          .put("overlaps", kind("overlaps", "count", Better.LOWER))
          .put("opsPerRoundTrip", plotted("operations/round trip", "1/round trip", Better.HIGHER))
          .put("p50RoundTrips", kind("median", TRIPS, Better.LOWER))
          .put("p99RoundTrips", plotted("99 %", TRIPS, Better.LOWER))
          .put("maxRoundTrips", kind("longest", TRIPS, Better.LOWER))
          .put("readP50RoundTrips", kind("median of reads", TRIPS, Better.LOWER))
          .put("readP99RoundTrips", kind("99 % of reads", TRIPS, Better.LOWER))
          .put("measured", plotted("here", "", Better.NEITHER))
          .put("theory", kind("theory", "", Better.NEITHER))
          .put("claimed", kind("claimed", "", Better.NEITHER))
          .put("waiting", kind("still waiting", "clients", Better.LOWER))
          .put("mutexMessages", plotted("messages of the mutex", MESSAGES, Better.LOWER))
          .put("maintenanceMessages", kind("messages of upkeep", MESSAGES, Better.NEITHER))
          .put("entries", kind("entries", "count", Better.NEITHER))
          .put("ofSigmaDirect", kind("Sigma, direct, needs", RATIO, Better.HIGHER))
          .put("ofSigmaRouted", kind("Sigma, routed, needs", RATIO, Better.HIGHER))
          .put("loadMedian", kind("load, median", MESSAGES, Better.LOWER))
          .put("load99", kind("load, 99 %", MESSAGES, Better.LOWER))
          .put("loadMost", kind("load, most", MESSAGES, Better.LOWER))
          .buildOrThrow();

  /** They end like figures, but are asked for. */
  private static final ImmutableSet<String> ASKED_FOR =
      ImmutableSet.of("offeredPerSecond", "requestsPerSecond");

  private static MetricKind kind(String label, String unit, Better better) {
    return new MetricKind(label, unit, better, false, null);
  }

  private static MetricKind plotted(String label, String unit, Better better) {
    return new MetricKind(label, unit, better, true, null);
  }

  private static MetricKind ratio(String label, Better better, String insteadOf) {
    return new MetricKind(label, RATIO, better, false, insteadOf);
  }

  /** Nothing if a field of that name is no figure. */
  public static Optional<MetricKind> of(String name) {
    MetricKind known = KNOWN.get(name);
    if (known != null || ASKED_FOR.contains(name)) {
      return Optional.ofNullable(known);
    }
    if (name.endsWith("PerSecond")) {
      return Optional.of(kind(Words.of(name), PER_SECOND, Better.HIGHER));
    }
    if (name.endsWith("Micros")) {
      return Optional.of(kind(Words.of(name), MICROS, Better.LOWER));
    }
    if (name.contains("RatioTo")) {
      boolean isTime = name.startsWith("p50") || name.startsWith("p99");
      return Optional.of(kind(Words.of(name), RATIO, isTime ? Better.LOWER : Better.HIGHER));
    }
    return Optional.empty();
  }

  /** The same with its unit, where the label does not say it. */
  public static String labelWithUnit(String name) {
    String unit = unitBeside(name);
    return unit.isEmpty() ? labelOf(name) : labelOf(name) + ", " + unit;
  }

  /** The unit to be shown beside the label; empty where the label says it. */
  public static String unitBeside(String name) {
    String unit = of(name).map(MetricKind::unit).orElse("");
    String label = labelOf(name);
    boolean isSaid =
        unit.startsWith("1/") || unit.equals(RATIO) || unit.equals("count") || label.contains(unit);
    return isSaid ? "" : unit;
  }

  /** What to call a figure, known or not. */
  public static String labelOf(String name) {
    return of(name).map(MetricKind::label).orElseGet(() -> Words.of(name));
  }
}
