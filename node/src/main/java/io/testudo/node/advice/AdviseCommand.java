package io.testudo.node.advice;

import com.google.common.base.Joiner;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo advise}: which lock backend fits. */
@Command(
    name = "advise",
    description = {
      "Say which lock backend fits a deployment, why, and what to expect of it.",
      "Times are predicted, not measured: all contenders begin together, the first entry and each"
          + " hand-off take a round trip, messages of those who wait are counted"
          + " (docs/which-backend.md). The risk is the probability that servers which lose their"
          + " memory let two in, for one hold (Lin and others, 2004).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo advise --servers 4 --byzantine 1 --rtt 2 --contenders 8 --hold 20",
      "  testudo advise --servers 16 --crash 4 --rtt 100 --contenders 200 --hold 50 --json",
    })
public final class AdviseCommand implements Subcommand {
  private static final double MAX_RTT_MILLIS = 60_000;
  private static final double MAX_HOLD_MILLIS = 86_400_000;
  private static final double MAX_LIFE_SECONDS = 1e10;
  private static final int MAX_CONTENDERS = 1_000_000;
  private static final double NANOS_PER_MILLI = 1e6;

  @Option(
      names = "--servers",
      required = true,
      paramLabel = "N",
      description = "How many servers there are; more than 64 make a ring.")
  private int servers;

  @Option(
      names = "--byzantine",
      paramLabel = "B",
      defaultValue = "0",
      description = "How many of them may lie (${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(
      names = "--crash",
      paramLabel = "F",
      defaultValue = "0",
      description =
          "How many others may be down or lose their memory at the same time (${DEFAULT-VALUE}).")
  private int crashed;

  @Option(
      names = "--rtt",
      required = true,
      paramLabel = "MS",
      description = "The round trip between a client and a server, in milliseconds.")
  private double rttMillis;

  @Option(
      names = "--contenders",
      paramLabel = "K",
      defaultValue = "1",
      description = "How many want the lock at the same time (${DEFAULT-VALUE}).")
  private int contenders;

  @Option(
      names = "--hold",
      required = true,
      paramLabel = "MS",
      description = "How long each of them needs it, in milliseconds.")
  private double holdMillis;

  @Option(
      names = "--server-life",
      paramLabel = "S",
      defaultValue = "10000",
      description =
          "How long a server runs until it loses its memory, in seconds, on average"
              + " (${DEFAULT-VALUE}, as in the paper).")
  private double serverLifeSeconds;

  @Option(
      names = "--risk",
      paramLabel = "P",
      defaultValue = "1e-12",
      description =
          "The highest probability of two holders, for one hold, to accept (${DEFAULT-VALUE}).")
  private double acceptedRisk;

  @Mixin private Output output = new Output();

  /** For picocli and the service loader. */
  public AdviseCommand() {}

  @Override
  public Integer call() {
    Deployment wish = wish();
    Advisor advisor;
    try {
      advisor = new Advisor(wish);
    } catch (QuorumConfigurationException e) {
      throw new CommandException(e.getMessage() + ".", e);
    }
    Candidate choice = advisor.choice().orElseThrow(() -> nothingFits(advisor));
    String config = config(wish, choice);
    output.text(heading(wish));
    output.text("");
    output.text(AdviceRow.heading());
    for (Candidate candidate : advisor.candidates()) {
      AdviceRow row = AdviceRow.of(wish, candidate, candidate.equals(choice), config);
      output.row(row, row.line());
    }
    output.text("");
    output.text("Take %s: %s.".formatted(choice.backend(), advisor.reasonFor(choice)));
    output.text("The same for all servers and clients, in common.conf:");
    output.text("");
    output.text(config);
    output.text("");
    output.text(
        wish.isRing()
            ? "A new ring: testudo init DIR --servers HOST:PORT,... --byzantine 0 --backend "
                + choice.backend()
            : "A new cluster: testudo init DIR --servers HOST:PORT,... --byzantine %d --crash %d"
                    .formatted(wish.liars(), wish.away())
                + " --backend "
                + choice.backend());
    return ExitCode.OK;
  }

  private static String heading(Deployment wish) {
    return String.format(
        Locale.ROOT,
        "%d servers of which %d may lie and %d be away, round trip %s ms, contenders: %d, hold %s"
            + " ms",
        wish.servers(),
        wish.liars(),
        wish.away(),
        wish.rttMillis(),
        wish.contenders(),
        wish.holdMillis());
  }

  private static CommandException nothingFits(Advisor advisor) {
    List<String> reasons = new ArrayList<>();
    for (Candidate candidate : advisor.candidates()) {
      reasons.add(
          "%s, %s: %s"
              .formatted(candidate.backend(), candidate.need().modeName(), candidate.whyNot()));
    }
    return new CommandException(
        "No backend fits, take more servers or tolerate less: %s."
            .formatted(Joiner.on(". ").join(reasons)));
  }

  /** Only what differs from what `testudo init` writes. */
  private static String config(Deployment wish, Candidate choice) {
    LockTiming standard = LockTiming.standard();
    List<String> lines = new ArrayList<>();
    lines.add("lock {");
    lines.add("  backend = " + choice.backend());
    if (choice.need().equals(SigmaProtocol.CRASHES) && !wish.isRing()) {
      lines.add("  crashes = " + wish.away());
    }
    if (wish.holdMillis() > standard.maxHoldNanos() / NANOS_PER_MILLI) {
      lines.add("  max-hold = %dms".formatted((long) Math.ceil(wish.holdMillis())));
    }
    if (wish.rttMillis() > standard.delayNanos() / NANOS_PER_MILLI) {
      lines.add("  delay = %dms".formatted((long) Math.ceil(wish.rttMillis())));
    }
    lines.add("}");
    return Joiner.on(System.lineSeparator()).join(lines);
  }

  private Deployment wish() {
    check("--servers", servers, 1, Deployment.MAX_MEMBERS);
    check("--byzantine", byzantine, 0, ServerId.MAX_SERVERS);
    check("--crash", crashed, 0, ServerId.MAX_SERVERS);
    check("--contenders", contenders, 1, MAX_CONTENDERS);
    check("--rtt", rttMillis, 0.001, MAX_RTT_MILLIS);
    check("--hold", holdMillis, 0, MAX_HOLD_MILLIS);
    check("--server-life", serverLifeSeconds, 1, MAX_LIFE_SECONDS);
    check("--risk", acceptedRisk, 0, 1);
    return new Deployment(
        servers,
        byzantine,
        crashed,
        rttMillis,
        contenders,
        holdMillis,
        serverLifeSeconds,
        acceptedRisk);
  }

  private static void check(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw CommandException.usage(
          String.format(
              Locale.ROOT, "%s must be from %s to %s.", option, plain(least), plain(most)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%s", value);
  }
}
