package io.testudo.bench.report;

import io.testudo.bench.measure.Plan;
import io.testudo.node.CommandException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all measurements that say how long and how often. */
public final class PlanOptions {
  /** More clients than this fit no machine that one measures on. */
  public static final int MAX_CLIENTS = 1_024;

  private static final int ROUNDS = 5;
  private static final int QUICK_ROUNDS = 3;
  private static final double SECONDS = 2;
  private static final double QUICK_SECONDS = 0.3;
  private static final double WARM_UP_SECONDS = 3;
  private static final double QUICK_WARM_UP_SECONDS = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Rounds of each contestant (" + ROUNDS + "; with --quick " + QUICK_ROUNDS + ").")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Length of a round (" + SECONDS + "; with --quick " + QUICK_SECONDS + ").")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description =
          "How long each is under load before its first round, again while one gets faster ("
              + WARM_UP_SECONDS
              + "; with --quick "
              + QUICK_WARM_UP_SECONDS
              + ").")
  private @Nullable Double warmUp;

  @Option(names = "--quick", description = "Short rounds: a look, not figures to quote.")
  private boolean quick;

  /** For picocli. */
  public PlanOptions() {}

  public boolean isQuick() {
    return quick;
  }

  /**
   * What was asked for.
   *
   * @throws CommandException if it is out of range
   */
  public Plan plan() {
    int chosenRounds = rounds != null ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
    double chosenSeconds = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
    if (chosenRounds < 1 || chosenRounds > Plan.MAX_ROUNDS) {
      throw new CommandException("--rounds must be from 1 to %d.".formatted(Plan.MAX_ROUNDS));
    }
    long maxSeconds = TimeUnit.NANOSECONDS.toSeconds(Plan.MAX_ROUND_NANOS);
    if (!(chosenSeconds >= 0.001 && chosenSeconds <= maxSeconds)) {
      throw new CommandException("--seconds must be from 0.001 to %d.".formatted(maxSeconds));
    }
    double chosenWarmUp = warmUp != null ? warmUp : quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
    if (!(chosenWarmUp >= 0 && chosenWarmUp <= maxSeconds)) {
      throw new CommandException("--warm-up must be from 0 to %d.".formatted(maxSeconds));
    }
    return new Plan(chosenRounds, nanos(chosenSeconds), nanos(chosenWarmUp));
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** What to say if a measurement did not come to its end. */
  public static CommandException brokeOff(Exception cause) {
    return new CommandException(
        "The measurement broke off, run it again or try fewer clients: %s."
            .formatted(cause.getMessage()),
        cause);
  }

  /**
   * Checks numbers of clients.
   *
   * @throws CommandException if one is out of range
   */
  public static void checkClients(List<Integer> counts) {
    for (int count : counts) {
      if (count < 1 || count > MAX_CLIENTS) {
        throw new CommandException("--clients must be from 1 to %d.".formatted(MAX_CLIENTS));
      }
    }
  }
}
