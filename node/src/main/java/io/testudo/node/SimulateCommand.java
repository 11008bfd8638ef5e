package io.testudo.node;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSet;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.dht.sim.RingCampaign;
import io.testudo.mutex.dht.sim.RingScenario;
import io.testudo.mutex.dht.sim.RingSettings;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.Campaign;
import io.testudo.quorum.sim.Hazard;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.sim.SealSetting;
import io.testudo.quorum.sim.SimulatedProtocol;
import io.testudo.quorum.sim.Simulation;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo simulate}: many runs of a protocol against faults and liars. */
@Command(
    name = "simulate",
    customSynopsis = "testudo simulate [OPTIONS] --protocol NAME",
    description = {
      "Run a protocol in a simulated world of faults and lying servers, and check its promises.",
      "With as many liars as the cluster is made for nothing may break; with more, the checkers"
          + " must notice.",
    },
    footer = {
      "",
      "Exit code: 0 if nothing broke within the bound, or something did beyond it; 1 otherwise.",
      "",
      "Examples:",
      "  testudo simulate --protocol ping --scenarios 10000",
      "  testudo simulate --protocol ping --liars 2 --liar-kinds invent,equivocate",
      "  testudo simulate --protocol ping --seed 17 --scenarios 1 --trace",
      "  testudo simulate --protocol sigma --reproduce --out figures",
      "  testudo simulate --protocol dht --backend e2e --routing ring",
    })
public final class SimulateCommand implements Subcommand {
  private static final long DEFAULT_SCENARIOS = 1_000;
  private static final double MAX_MINUTES = 7 * 24 * 60;
  private static final int MAX_THREADS = 256;

  @Option(
      names = "--protocol",
      required = true,
      paramLabel = "NAME",
      description = "Which protocol; another name lists those there are.")
  private String protocolName = "";

  @Option(names = "--mode", paramLabel = "MODE", description = "A mode of the protocol.")
  private @Nullable String mode;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "Servers; the least number for the mode if left out.")
  private @Nullable Integer servers;

  @Option(
      names = "--byzantine",
      paramLabel = "B",
      defaultValue = "1",
      description = "Liars that the cluster is made for (${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(
      names = "--liars",
      paramLabel = "K",
      description = "Servers that do lie; as many as B if left out.")
  private @Nullable Integer liars;

  @Option(
      names = "--liar-kinds",
      split = ",",
      paramLabel = "KIND",
      description = "Only these lies (docs/simulator.md lists them); all that apply if left out.")
  private List<String> liarKinds = new ArrayList<>();

  @Option(
      names = "--hazards",
      split = ",",
      paramLabel = "HAZARD",
      description =
          "Only these hazards (docs/simulator.md lists them), all, or none. If left out: those that"
              + " the "
              + "protocol must tolerate; none if lies are chosen, or if there are more faults than it"
              + " tolerates.")
  private List<String> hazards = new ArrayList<>();

  @Option(
      names = "--resets",
      paramLabel = "K",
      description =
          "Servers that lose their memory again and again, where servers have no disk; as many as "
              + "the cluster tolerates if left out.")
  private @Nullable Integer resets;

  @Option(
      names = "--quarantine",
      description = "Let such a server keep quiet until all that it granted before is over.")
  private boolean quarantine;

  @Option(
      names = "--seals",
      paramLabel = "KIND",
      description =
          "With what clients seal, where they do: hmac or ed25519, which is slower (hmac).")
  private @Nullable String seals;

  @Option(
      names = "--stolen-key",
      description =
          "Let liars have the keys of a client that may submit, and seal with them whatever they"
              + " like: "
              + "with hmac the checkers must notice, with ed25519 nothing may break.")
  private boolean stolenKey;

  @Mixin private QuorumOptions quorums = new QuorumOptions();

  @Option(
      names = "--turns",
      paramLabel = "BY",
      description =
          "By what clients of an object settle who orders, with --protocol ordering: rank or lock"
              + " (rank).")
  private @Nullable String turns;

  @Option(
      names = "--scenarios",
      paramLabel = "COUNT",
      description = "How many runs (" + DEFAULT_SCENARIOS + ").")
  private @Nullable Long scenarios;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Instead of a count: as many runs as M minutes allow.")
  private @Nullable Double minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the first run; the next ones follow (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Runs at a time; one for each core if left out.")
  private @Nullable Integer threads;

  @Option(names = "--trace", description = "Tell one run line by line; needs --scenarios 1.")
  private boolean trace;

  @Mixin private RingOptions ring = new RingOptions();

  @Mixin private Reproductions reproductions = new Reproductions();

  @Mixin private Output output = new Output();

  @Spec private CommandSpec command;

  /** For picocli and the service loader. */
  public SimulateCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (reproductions.isWanted()) {
      return reproductions.run(protocolName, seed, output);
    }
    if (ring.areFor(protocolName)) {
      return runRings(ring.settings(resets));
    }
    ScenarioSettings settings = settings();
    if (trace) {
      return traceOne(
          !settings.isWithinBound(), tellTo -> Simulation.run(settings, seed, tellTo).violation());
    }
    long startNanos = System.nanoTime();
    Campaign campaign = new Campaign(settings, seed);
    Campaign.Report report = run(startNanos, campaign::run);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    SimulateReport rows = new SimulateReport(settings, report, seconds, this::replay);
    output.row(rows.row(), rows.text());
    return rows.isAsItMustBe() ? ExitCode.OK : ExitCode.FAILED;
  }

  private int runRings(RingSettings settings) throws InterruptedException {
    if (trace) {
      return traceOne(
          false,
          tellTo -> {
            try {
              RingScenario.run(settings, seed, tellTo);
              return null;
            } catch (Violation broken) {
              return broken;
            }
          });
    }
    long startNanos = System.nanoTime();
    RingCampaign campaign = new RingCampaign(settings, seed);
    RingCampaign.Report report = run(startNanos, campaign::run);
    RingReport rows = new RingReport(settings, report, (System.nanoTime() - startNanos) / 1e9);
    output.row(rows.row(), rows.text());
    return rows.isAsItMustBe() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Many runs of whatever it is. */
  private interface Runs<R> {
    R run(long count, long untilNanos, int workers, LongConsumer progress)
        throws InterruptedException;
  }

  private <R> R run(long startNanos, Runs<R> runs) throws InterruptedException {
    if (scenarios != null && minutes != null) {
      throw CommandException.usage(
          "--scenarios and --minutes exclude each other: give one of them.");
    }
    long count =
        minutes != null ? Long.MAX_VALUE : scenarios != null ? scenarios : DEFAULT_SCENARIOS;
    if (count < 1 || (minutes != null && !(minutes > 0 && minutes <= MAX_MINUTES))) {
      throw CommandException.usage(
          "There is nothing to run: give a positive number, and at most a week of minutes.");
    }
    long untilNanos =
        minutes == null
            ? startNanos + Long.MAX_VALUE / 2
            : startNanos + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
    int workers = threads != null ? threads : Runtime.getRuntime().availableProcessors();
    if (workers < 1 || workers > MAX_THREADS) {
      throw CommandException.usage("--threads must be from 1 to %d.".formatted(MAX_THREADS));
    }
    try (ProgressLine progress = ProgressLine.onTerminal(count, "scenarios")) {
      return runs.run(count, untilNanos, workers, progress);
    }
  }

  /** Makes one run; what it broke, or null. */
  private interface OneRun {
    @Nullable Violation run(Trace trace);
  }

  private int traceOne(boolean mustBreak, OneRun run) {
    if (scenarios == null || scenarios != 1 || output.isJson()) {
      throw CommandException.usage(
          "--trace tells one run to people: add --scenarios 1, no --json.");
    }
    PrintWriter out = command.commandLine().getOut();
    Violation violation = run.run(Trace.to(out::println));
    out.println(violation == null ? "No promise was broken." : "Broken: " + violation.getMessage());
    boolean broken = violation != null;
    return broken != mustBreak ? ExitCode.FAILED : ExitCode.OK;
  }

  private ScenarioSettings settings() {
    SimulatedProtocol protocol = ProtocolNames.find(protocolName);
    String chosenMode = mode == null ? protocol.modes().get(0) : mode;
    if (!protocol.modes().contains(chosenMode)) {
      throw CommandException.usage(
          "%s has no mode %s: choose one of %s."
              .formatted(protocol.name(), chosenMode, Joiner.on(", ").join(protocol.modes())));
    }
    Need need = protocol.need(chosenMode);
    try {
      Thresholds thresholds = quorums.thresholds(need, servers, byzantine);
      int count = thresholds.servers();
      int lying = liars != null ? liars : protocol.liarsBorne(thresholds);
      if (lying < 0 || lying > count) {
        throw CommandException.usage("--liars must be from 0 to the %d servers.".formatted(count));
      }
      ScenarioSettings chosen =
          new ScenarioSettings(
              protocol,
              chosenMode,
              thresholds,
              lying,
              lies(protocol, quorums.access(protocol, chosenMode)),
              resets(protocol, thresholds, lying),
              quarantine,
              ImmutableSet.of(),
              seals(protocol, chosenMode),
              turns(protocol),
              quorums.access(protocol, chosenMode));
      return chosen.with(hazards(chosen).toArray(new Hazard[0]));
    } catch (QuorumConfigurationException e) {
      throw CommandException.usage(e.getMessage() + ".", e);
    }
  }

  private int resets(SimulatedProtocol protocol, Thresholds thresholds, int lying) {
    if (!protocol.hasResets() && (resets != null || quarantine)) {
      throw CommandException.usage(
          "The servers of %s have a disk: leave --resets and --quarantine out."
              .formatted(protocol.name()));
    }
    int chosen = resets != null ? resets : protocol.resetsBorne(thresholds, lying, quarantine);
    if (chosen < 0 || chosen > thresholds.servers()) {
      throw CommandException.usage(
          "--resets must be from 0 to the %d servers.".formatted(thresholds.servers()));
    }
    return chosen;
  }

  private SealSetting seals(SimulatedProtocol protocol, String chosenMode) {
    if ((seals != null || stolenKey) && !protocol.hasSeals(chosenMode)) {
      throw CommandException.usage(
          "No client seals anything in mode %s of %s: leave --seals and --stolen-key out."
              .formatted(chosenMode, protocol.name()));
    }
    if (seals == null) {
      return new SealSetting(SealSetting.STANDARD.scheme(), stolenKey);
    }
    return SealScheme.named(seals)
        .map(scheme -> new SealSetting(scheme, stolenKey))
        .orElseThrow(
            () ->
                CommandException.usage(
                    "There are no seals %s: choose hmac or ed25519.".formatted(seals)));
  }

  private String turns(SimulatedProtocol protocol) {
    if (turns == null) {
      return protocol.turns().stream().findFirst().orElse("");
    }
    if (!protocol.turns().contains(turns)) {
      throw new CommandException(
          protocol.turns().isEmpty()
              ? "%s has no choice of turns: leave --turns out.".formatted(protocol.name())
              : "There are no turns by %s: choose one of %s."
                  .formatted(turns, Joiner.on(", ").join(protocol.turns())));
    }
    return turns;
  }

  private ImmutableSet<ByzantineKind> lies(SimulatedProtocol protocol, Access access) {
    ImmutableSet<ByzantineKind> known = protocol.lies(access);
    if (liarKinds.isEmpty()) {
      return known;
    }
    ImmutableSet.Builder<ByzantineKind> chosen = ImmutableSet.builder();
    for (String flag : liarKinds) {
      Optional<ByzantineKind> kind = ByzantineKind.ofFlag(flag);
      if (kind.isEmpty() || !known.contains(kind.get())) {
        List<String> flags = known.stream().map(ByzantineKind::flag).toList();
        throw CommandException.usage(
            "%s knows no lie %s: choose from %s."
                .formatted(protocol.name(), flag, Joiner.on(", ").join(flags)));
      }
      chosen.add(kind.get());
    }
    return chosen.build();
  }

  private ImmutableSet<Hazard> hazards(ScenarioSettings settings) {
    if (hazards.isEmpty() && liarKinds.isEmpty() && settings.isWithinBound()) {
      return settings.protocol().hazards();
    }
    if (hazards.isEmpty() || hazards.equals(List.of("none"))) {
      return ImmutableSet.of();
    }
    if (hazards.equals(List.of("all"))) {
      return ImmutableSet.copyOf(Hazard.values());
    }
    ImmutableSet.Builder<Hazard> chosen = ImmutableSet.builder();
    for (String flag : hazards) {
      chosen.add(
          Hazard.ofFlag(flag)
              .orElseThrow(
                  () ->
                      CommandException.usage(
                          "There is no hazard %s: choose from none, all, %s."
                              .formatted(
                                  flag,
                                  Arrays.stream(Hazard.values())
                                      .map(Hazard::flag)
                                      .collect(Collectors.joining(", "))))));
    }
    return chosen.build();
  }

  /** The command that runs one seed again, with a trace. */
  private String replay(ScenarioSettings settings, long failingSeed) {
    List<String> words = new ArrayList<>(List.of("./testudo", "simulate"));
    words.addAll(List.of("--protocol", settings.protocol().name()));
    if (mode != null) {
      words.addAll(List.of("--mode", mode));
    }
    words.addAll(List.of("--servers", "" + settings.thresholds().servers()));
    words.addAll(List.of("--byzantine", "" + byzantine));
    words.addAll(List.of("--liars", "" + settings.liars()));
    if (!liarKinds.isEmpty()) {
      words.addAll(List.of("--liar-kinds", Joiner.on(',').join(liarKinds)));
    }
    if (!hazards.isEmpty()) {
      words.addAll(List.of("--hazards", Joiner.on(',').join(hazards)));
    }
    if (settings.protocol().hasResets()) {
      words.addAll(List.of("--resets", "" + settings.resets()));
    }
    if (quarantine) {
      words.add("--quarantine");
    }
    if (seals != null) {
      words.addAll(List.of("--seals", seals));
    }
    if (stolenKey) {
      words.add("--stolen-key");
    }
    if (turns != null) {
      words.addAll(List.of("--turns", turns));
    }
    words.addAll(quorums.words());
    words.addAll(List.of("--seed", "" + failingSeed, "--scenarios", "1", "--trace"));
    return Joiner.on(' ').join(words);
  }
}
