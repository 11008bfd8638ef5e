package io.testudo.bench.micro;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo bench micro}: the parts of an operation, each alone. */
@Command(
    name = "micro",
    description = {
      "Measure the parts of an operation alone, by JMH: messages into bytes, seals, tallies, steps"
          + " of machines, the journal.",
      "Time and allocated bytes of one operation, each part in a process of its own"
          + " (docs/bench.md).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench micro --quick",
      "  testudo bench micro --part codec,seals --out micro",
    })
public final class MicroCommand implements Subcommand {
  private static final int ROUNDS = 5;
  private static final int QUICK_ROUNDS = 3;
  private static final double SECONDS = 1;
  private static final double QUICK_SECONDS = 0.2;
  private static final int MAX_ROUNDS = 100;
  private static final double MAX_SECONDS = 60;
  private static final double MILLIS_PER_SECOND = 1_000;

  /** What can be measured, by the class that has its benchmarks. */
  enum Part {
    CODEC(CodecMicro.class, 4),
    SEALS(SealMicro.class, 4),
    TALLY(TallyMicro.class, 2),
    STEPS(StepMicro.class, 2),
    JOURNAL(JournalMicro.class, 1);

    private final Class<?> type;
    private final int benchmarks;

    Part(Class<?> type, int benchmarks) {
      this.type = type;
      this.benchmarks = benchmarks;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "codec, seals, tally, steps, journal (all of them).")
  private List<Part> parts = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Rounds of each benchmark, after as many to warm up ("
              + ROUNDS
              + "; with --quick "
              + QUICK_ROUNDS
              + ").")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of a round (" + SECONDS + "; with --quick " + QUICK_SECONDS + ").")
  private @Nullable Double seconds;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Processes of each benchmark; 0 for this one, whose figures are not to be quoted"
              + " (${DEFAULT-VALUE}).")
  private int forks;

  @Option(names = "--quick", description = "Short rounds: a look, not figures to quote.")
  private boolean quick;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  /** For picocli. */
  public MicroCommand() {}

  @Override
  public Integer call() {
    int chosenRounds = rounds != null ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
    double chosenSeconds = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
    if (chosenRounds < 1 || chosenRounds > MAX_ROUNDS) {
      throw new CommandException("--rounds must be from 1 to %d.".formatted(MAX_ROUNDS));
    }
    if (!(chosenSeconds >= 0.001 && chosenSeconds <= MAX_SECONDS)) {
      throw new CommandException("--seconds must be from 0.001 to 60.");
    }
    if (forks < 0 || forks > 10) {
      throw new CommandException("--forks must be from 0 to 10.");
    }
    BenchOutput results = out.open(output, false);
    MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());
    results.text(machine.text());
    results.text(MicroRow.heading());
    List<Part> chosen = parts.isEmpty() ? ImmutableList.copyOf(Part.values()) : parts;
    chosen.forEach(part -> results.progress().expect(part.benchmarks));
    for (Part part : chosen) {
      results.progress().begin("%s by JMH".formatted(part.word()), part.benchmarks);
      for (RunResult result : run(part, chosenRounds, chosenSeconds)) {
        MicroRow row = MicroRow.of(part.word(), result);
        results.row(row.fields(chosenSeconds, machine), row.line(), row.rounds());
      }
    }
    results.finish();
    return ExitCode.OK;
  }

  private Iterable<RunResult> run(Part part, int chosenRounds, double chosenSeconds) {
    TimeValue time =
        TimeValue.milliseconds(Math.max(1, (long) (chosenSeconds * MILLIS_PER_SECOND)));
    // Another bench on this machine would disturb it, but that is told by no lock.
    System.setProperty("jmh.ignoreLock", "true");
    try {
      return new Runner(
              new OptionsBuilder()
                  .include(part.type.getName().replace(".", "\\.") + "\\.")
                  .mode(Mode.AverageTime)
                  .timeUnit(TimeUnit.NANOSECONDS)
                  .warmupIterations(chosenRounds)
                  .warmupTime(time)
                  .measurementIterations(chosenRounds)
                  .measurementTime(time)
                  .forks(forks)
                  .threads(1)
                  .addProfiler(GCProfiler.class)
                  .shouldFailOnError(true)
                  .verbosity(VerboseMode.SILENT)
                  .build())
          .run();
    } catch (RunnerException e) {
      throw new CommandException(
          "The measurement of %s broke off, run it again: %s."
              .formatted(part.word(), e.getMessage()),
          e);
    }
  }
}
