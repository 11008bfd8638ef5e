package io.testudo.bench.contention.counter;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Thresholds;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The cases that are measured unless others are asked for, in a cluster of each mode and for each
 * round trip.
 *
 * @param clusters the modes with their thresholds
 * @param inOrder whether no message overtakes another of the same connection
 * @param computing what a message costs its receiver
 */
record CounterSuite(
    ImmutableList<Cluster> clusters,
    ImmutableList<Long> roundTripsNanos,
    boolean inOrder,
    CounterCase.Computing computing) {
  /** So many clients there are in all cases but those that compare numbers of clients. */
  static final int CLIENTS = 8;

  static final int READERS = 8;
  static final int THINK_ROUND_TRIPS = 5;
  private static final long LIES_ROUND_TRIP_NANOS = 1_000_000L;

  /** Servers that keep objects in one mode, and by what their clients take turns. */
  record Cluster(Mode mode, Thresholds thresholds, TurnsBy turns) {}

  /** Each number of clients, idle clients, readers beside a writer, and each fault. */
  ImmutableList<CounterCase> cases(List<Integer> clients, List<CounterFault> faults) {
    ImmutableList.Builder<CounterCase> cases = ImmutableList.builder();
    forEach(
        (cluster, roundTrip) ->
            clients.forEach(count -> cases.add(of(cluster, count, 0, roundTrip, 0, null))));
    forEach(
        (cluster, roundTrip) ->
            cases.add(of(cluster, CLIENTS, 0, roundTrip, THINK_ROUND_TRIPS * roundTrip, null)));
    forEach((cluster, roundTrip) -> cases.add(of(cluster, 1, READERS, roundTrip, 0, null)));
    for (CounterFault fault : faults) {
      forEach(
          (cluster, roundTrip) -> {
            if (isMeasuredAt(roundTrip, fault)) {
              cases.add(of(cluster, CLIENTS, 0, roundTrip, 0, fault));
            }
          });
    }
    return cases.build();
  }

  /**
   * All combinations.
   *
   * @param faults null for none
   */
  ImmutableList<CounterCase> product(
      List<Integer> clients,
      List<Integer> readers,
      List<Long> thinkNanos,
      List<@Nullable CounterFault> faults) {
    ImmutableList.Builder<CounterCase> cases = ImmutableList.builder();
    for (CounterFault fault : faults) {
      for (int readerCount : readers) {
        for (long think : thinkNanos) {
          forEach(
              (cluster, roundTrip) ->
                  clients.forEach(
                      count ->
                          cases.add(of(cluster, count, readerCount, roundTrip, think, fault))));
        }
      }
    }
    return cases.build();
  }

  /** There are many lies: most are measured for one round trip only. */
  private boolean isMeasuredAt(long roundTripNanos, CounterFault fault) {
    return roundTripNanos == LIES_ROUND_TRIP_NANOS
        || !roundTripsNanos.contains(LIES_ROUND_TRIP_NANOS)
        || CounterFault.MAIN.contains(fault);
  }

  private void forEach(BiConsumer<Cluster, Long> use) {
    clusters.forEach(
        cluster -> roundTripsNanos.forEach(roundTrip -> use.accept(cluster, roundTrip)));
  }

  private CounterCase of(
      Cluster cluster,
      int clients,
      int readers,
      long roundTripNanos,
      long thinkNanos,
      @Nullable CounterFault fault) {
    return new CounterCase(
        cluster.mode(),
        cluster.thresholds(),
        clients,
        readers,
        roundTripNanos,
        thinkNanos,
        fault,
        inOrder,
        cluster.turns(),
        computing);
  }
}
