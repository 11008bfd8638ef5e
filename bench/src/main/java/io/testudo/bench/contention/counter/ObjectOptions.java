package io.testudo.bench.contention.counter;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.PlanOptions;
import io.testudo.node.CommandException;
import io.testudo.ordering.client.TurnsBy;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that ask for the contention of an object's clients. */
public final class ObjectOptions {
  private static final ImmutableList<Integer> CLIENTS = ImmutableList.of(1, 2, 4, 8, 16, 32, 64);
  private static final ImmutableList<Integer> QUICK_CLIENTS = ImmutableList.of(1, 2, 4, 8, 64);
  private static final ImmutableList<Double> ROUND_TRIPS = ImmutableList.of(0.1, 1.0, 10.0, 100.0);
  private static final ImmutableList<Double> QUICK_ROUND_TRIPS = ImmutableList.of(0.1, 1.0, 100.0);
  private static final int BYZANTINE = 1;
  private static final int MAX_SEEDS = 1_000;
  private static final double MAX_MILLIS = 10_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MAX_COST_MICROS = 1_000_000;
  private static final int MAX_CORES = 1_024;
  private static final String NO_FAULT = "none";
  private static final CounterPlan PLAN = new CounterPlan(3, 1_000, 10);
  private static final CounterPlan QUICK_PLAN = new CounterPlan(1, 1_000, 10);

  @Option(
      names = "--object",
      required = true,
      description = "Clients of one object that increment a counter, instead of those of a lock.")
  @SuppressWarnings("UnusedVariable") // Its presence is what makes picocli make this object.
  private boolean object;

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      description = "Numbers of clients that increment (1 to 64).")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--round-trip",
      split = ",",
      paramLabel = "MS",
      description = "Round trips in milliseconds (0.1,1,10,100).")
  private List<Double> roundTrips = new ArrayList<>();

  @Option(
      names = "--readers",
      split = ",",
      paramLabel = "N",
      description = "Numbers of clients that read all the time (0).")
  private List<Integer> readers = new ArrayList<>();

  @Option(
      names = "--think",
      split = ",",
      paramLabel = "MS",
      description = "How long clients are idle between increments, in milliseconds (0).")
  private List<Double> think = new ArrayList<>();

  @Option(
      names = "--fault",
      split = ",",
      paramLabel = "NAME",
      description =
          "none, holderDies (a client dies while it orders), or how one server lies: silent or"
              + " another lie of the simulator (none).")
  private List<String> faults = new ArrayList<>();

  @Option(
      names = "--turns",
      split = ",",
      paramLabel = "BY",
      description = "By what clients settle who orders: rank, lock (rank).")
  private List<TurnsBy> turns = new ArrayList<>();

  @Option(
      names = "--in-order",
      description = "Messages of a connection do not overtake each other, as on TCP.")
  private boolean inOrder;

  @Option(
      names = "--cost",
      paramLabel = "US",
      description =
          "Microseconds that a message costs its receiver; all clients are one process (0).")
  private double costMicros;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "With --cost: how many cores servers and clients share (2).")
  private int cores = 2;

  /** For picocli. */
  public ObjectOptions() {}

  /**
   * What is asked for.
   *
   * @param mode one of the object's modes; all if null
   * @param servers of its cluster; the fewest that tolerate one liar if null
   */
  ImmutableList<CounterCase> cases(
      @Nullable String mode, @Nullable Integer servers, boolean quick) {
    CounterSuite suite =
        new CounterSuite(
            clusters(mode, servers, quick),
            nanos("--round-trip", roundTrips, quick ? QUICK_ROUND_TRIPS : ROUND_TRIPS, 0.001),
            inOrder,
            computing());
    PlanOptions.checkClients(clients);
    if (clients.isEmpty() && readers.isEmpty() && think.isEmpty() && faults.isEmpty()) {
      return suite.cases(
          quick ? QUICK_CLIENTS : CLIENTS, quick ? CounterFault.MAIN : CounterFault.all());
    }
    for (int count : readers) {
      if (count < 0 || count > PlanOptions.MAX_CLIENTS) {
        throw new CommandException(
            "--readers must be from 0 to %d.".formatted(PlanOptions.MAX_CLIENTS));
      }
    }
    List<@Nullable CounterFault> chosen = chosenFaults();
    ImmutableList<CounterCase> cases =
        suite.product(
            clients.isEmpty() ? ImmutableList.of(CounterSuite.CLIENTS) : clients,
            readers.isEmpty() ? ImmutableList.of(0) : readers,
            nanos("--think", think, ImmutableList.of(0.0), 0),
            chosen);
    if (cases.stream().anyMatch(one -> one.thresholds().faults() == 0 && one.isLiedTo())) {
      throw new CommandException("So few --servers tolerate no liar: choose more.");
    }
    if (cases.stream().anyMatch(one -> one.holderDies() && one.clients() < 2)) {
      throw new CommandException("With holderDies there must be 2 --clients: one has to go on.");
    }
    return cases;
  }

  private CounterCase.Computing computing() {
    if (!(costMicros >= 0 && costMicros <= MAX_COST_MICROS)) {
      throw new CommandException("--cost must be from 0 to %.0f.".formatted(MAX_COST_MICROS));
    }
    if (cores < 1 || cores > MAX_CORES) {
      throw new CommandException("--cores must be from 1 to %d.".formatted(MAX_CORES));
    }
    return new CounterCase.Computing(Math.round(costMicros * NANOS_PER_MICRO), cores);
  }

  /** How much is measured of each case. */
  static CounterPlan plan(@Nullable Integer seeds, boolean quick) {
    CounterPlan plan = quick ? QUICK_PLAN : PLAN;
    if (seeds == null) {
      return plan;
    }
    if (seeds < 1 || seeds > MAX_SEEDS) {
      throw new CommandException("--seeds must be from 1 to %d.".formatted(MAX_SEEDS));
    }
    return new CounterPlan(seeds, plan.increments(), plan.deaths());
  }

  private List<@Nullable CounterFault> chosenFaults() {
    List<@Nullable CounterFault> chosen = new ArrayList<>();
    for (String name : faults.isEmpty() ? List.of(NO_FAULT) : faults) {
      chosen.add(
          name.equals(NO_FAULT)
              ? null
              : CounterFault.ofName(name)
                  .orElseThrow(
                      () ->
                          new CommandException(
                              "There is no fault %s: choose from none, %s."
                                  .formatted(
                                      name,
                                      Joiner.on(", ")
                                          .join(
                                              CounterFault.all().stream()
                                                  .map(CounterFault::name)
                                                  .iterator())))));
    }
    return chosen;
  }

  private ImmutableList<CounterSuite.Cluster> clusters(
      @Nullable String mode, @Nullable Integer servers, boolean quick) {
    ImmutableList.Builder<CounterSuite.Cluster> clusters = ImmutableList.builder();
    for (Mode one : modes(mode, quick)) {
      Need need = one.need();
      int count = servers != null ? servers : need.leastServers(BYZANTINE);
      try {
        Thresholds thresholds = need.thresholds(count, need.mostFaults(count));
        for (TurnsBy by : turns.isEmpty() ? List.of(TurnsBy.RANK) : turns) {
          clusters.add(new CounterSuite.Cluster(one, thresholds, by));
        }
      } catch (QuorumConfigurationException e) {
        throw new CommandException(e.getMessage() + ".", e);
      }
    }
    return clusters.build();
  }

  private static List<Mode> modes(@Nullable String name, boolean quick) {
    List<Mode> all = List.of(Mode.SEALED_STATEMENTS, Mode.SEALED_RANKS, Mode.PLAIN);
    if (name == null) {
      return quick ? all.subList(0, 1) : all;
    }
    return List.of(
        Arrays.stream(Mode.values())
            .filter(mode -> mode.need().modeName().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new CommandException(
                        "There is no mode %s of objects: choose from %s."
                            .formatted(
                                name,
                                Joiner.on(", ")
                                    .join(
                                        all.stream()
                                            .map(mode -> mode.need().modeName())
                                            .iterator())))));
  }

  private static ImmutableList<Long> nanos(
      String option, List<Double> given, List<Double> usual, double least) {
    ImmutableList.Builder<Long> nanos = ImmutableList.builder();
    for (double millis : given.isEmpty() ? usual : given) {
      if (!(millis >= least && millis <= MAX_MILLIS)) {
        throw new CommandException(
            "%s must be from %s to %.0f.".formatted(option, least == 0 ? "0" : least, MAX_MILLIS));
      }
      nanos.add(Math.round(millis * NANOS_PER_MILLI));
    }
    return nanos.build();
  }
}
