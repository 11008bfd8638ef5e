package io.testudo.node.commands;

import com.google.common.base.Joiner;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.demo.DemoRun;
import io.testudo.node.demo.Narration;
import io.testudo.node.demo.Picture;
import io.testudo.node.log.Logging;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo demo}: what Testudo is for, in one command. */
@Command(
    name = "demo",
    description = {
      "Shows a lock and a counter on four servers, while one of them lies.",
      "Three clients contend for the lock and count, all in this process. One server turns into a"
          + " liar and back; then another is killed and restarted. In the end checks say whether"
          + " two clients ever held the lock at one time, and whether an increment was lost.",
      "Lies (docs/simulator.md): equivocate, stale, always-free, always-locked, silent,"
          + " silent-to-some, wild-number, invent, early-commit, no-store, forget, edge-of-time,"
          + " replay, flood, false-clock, twins."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing broke", "1:something broke", "2:the command line is wrong"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo demo --liar always-free",
      "  testudo demo --liars 3     more lie than the cluster tolerates: it breaks"
    })
public final class DemoCommand implements Subcommand {
  private static final double LONGEST_SECONDS = 600;
  private static final long LINE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  @Option(
      names = "--liar",
      defaultValue = "equivocate",
      paramLabel = "LIE",
      description = "How the liar lies (default: ${DEFAULT-VALUE}).")
  private String liar = "equivocate";

  @Option(
      names = "--liars",
      defaultValue = "1",
      paramLabel = "K",
      description = "How many lie together, up to 3; the cluster tolerates 1 (default).")
  private int liars = 1;

  @Option(
      names = "--seconds",
      defaultValue = "12",
      paramLabel = "S",
      description = "How long it takes (default: ${DEFAULT-VALUE}), or longer on a slow machine.")
  private double seconds = 12;

  @Mixin private Output output;

  private long lastLineNanos = System.nanoTime();

  /** For picocli. */
  public DemoCommand() {}

  private record SceneRow(String event, long atMillis, @Nullable String server) {}

  private record StateRow(
      String event,
      long atMillis,
      @Nullable String holder,
      long fence,
      List<String> waiting,
      long entries,
      long counter,
      long version,
      long increments,
      Map<String, Long> caught,
      Map<String, Long> liesTold) {}

  private record VerdictRow(
      String verdict,
      int overlaps,
      long lost,
      String liar,
      int liars,
      long entries,
      long increments,
      long askedAgain,
      long lateHolders,
      double seconds,
      List<String> problems) {}

  @Override
  public Integer call() throws InterruptedException {
    ByzantineKind kind = kind();
    if (liars < 1 || liars > DemoRun.MAX_LIARS) {
      throw CommandException.usage("--liars must be from 1 to %d.".formatted(DemoRun.MAX_LIARS));
    }
    if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
      throw CommandException.usage(
          "--seconds must be above 0, up to %.0f.".formatted(LONGEST_SECONDS));
    }
    // Connections that break are part of the play.
    Logging.use("ERROR", /* json= */ false);
    Duration length = Duration.ofMillis((long) (seconds * 1e3));
    Narration narration = new Narration(kind, liars);
    Narration.introduction().forEach(output::text);
    try (Picture picture = output.isJson() ? Picture.none() : Picture.onTerminal()) {
      DemoRun.Verdict verdict =
          DemoRun.play(new DemoRun.Settings(kind, liars, length), new Seats(picture, narration));
      picture.erase();
      Picture.lines(verdict.view()).forEach(output::text);
      narration.verdict(verdict).forEach(output::text);
      output.text(narration.hint());
      if (output.isJson()) {
        output.row(row(verdict), "");
      }
      return verdict.holds() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private ByzantineKind kind() {
    return ByzantineKind.ofFlag(liar)
        .filter(DemoRun.lies()::contains)
        .orElseThrow(
            () ->
                CommandException.usage(
                    "There is no lie '%s' here; choose one of %s."
                        .formatted(
                            liar,
                            Joiner.on(", ")
                                .join(DemoRun.lies().stream().map(ByzantineKind::flag).toList()))));
  }

  private VerdictRow row(DemoRun.Verdict verdict) {
    return new VerdictRow(
        verdict.holds() ? "holds" : "broken",
        verdict.overlaps(),
        verdict.lost(),
        liar,
        liars,
        verdict.entries(),
        verdict.increments(),
        verdict.askedAgain(),
        verdict.lateHolders(),
        verdict.view().at().toMillis() / 1e3,
        Narration.problems(verdict));
  }

  /** Tells people and programs what happens. */
  private final class Seats implements DemoRun.Audience {
    private final Picture picture;
    private final Narration narration;

    Seats(Picture picture, Narration narration) {
      this.picture = picture;
      this.narration = narration;
    }

    @Override
    public void scene(DemoRun.Scene scene, @Nullable String server, DemoRun.View view) {
      picture.erase();
      String event = scene.name().toLowerCase(Locale.ROOT).replace('_', '-');
      output.row(
          new SceneRow(event, view.at().toMillis(), server), narration.scene(scene, server, view));
      picture.draw(view);
    }

    @Override
    public void look(DemoRun.View view) {
      if (picture.isSeen()) {
        picture.draw(view);
        return;
      }
      long nowNanos = System.nanoTime();
      if (nowNanos - lastLineNanos >= LINE_EVERY_NANOS) {
        lastLineNanos = nowNanos;
        output.row(row(view), Picture.line(view));
      }
    }

    private StateRow row(DemoRun.View view) {
      Map<String, Long> caught = new TreeMap<>();
      Map<String, Long> lies = new TreeMap<>();
      for (DemoRun.ServerView server : view.servers()) {
        caught.put(server.name(), server.caught());
        lies.put(server.name(), server.liesTold());
      }
      return new StateRow(
          "state",
          view.at().toMillis(),
          view.holder(),
          view.fence(),
          view.waiting(),
          view.entries(),
          view.counter(),
          view.version(),
          view.increments(),
          caught,
          lies);
    }
  }
}
