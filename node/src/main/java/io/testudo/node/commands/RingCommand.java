package io.testudo.node.commands;

import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Logging;
import io.testudo.node.ring.RingPicture;
import io.testudo.node.ring.RingPlay;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo ring}: a ring on sockets that loses members while a lock is held. */
@Command(
    name = "ring",
    description = {
      "Shows a lock on a ring whose members come and go.",
      "They run on the loopback address and contend for the lock: one is killed while it holds it,"
          + " one while it waits, others join meanwhile. It checks that no two held the lock at one time, that all who live get it again, and that"
          + " the ring is closed in the end. docs/dht.md has the protocols."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing broke", "1:something broke", "2:the command line is wrong"},
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo ring --nodes 16 --backend e2e --routing ring",
      "  testudo ring --nodes 8 --processes"
    })
public final class RingCommand implements Subcommand {
  @Option(
      names = "--nodes",
      defaultValue = "16",
      paramLabel = "N",
      description = "How many members it begins with (default: ${DEFAULT-VALUE}).")
  private int nodes = 16;

  @Option(
      names = "--backend",
      defaultValue = "sigma-dht",
      paramLabel = "NAME",
      description =
          "The lock protocol: sigma-dht, e2e, non-e2e or zone (default: ${DEFAULT-VALUE}).")
  private String backend = "sigma-dht";

  @Option(
      names = "--routing",
      defaultValue = "prefix",
      paramLabel = "NAME",
      description = "prefix or ring (default: ${DEFAULT-VALUE}).")
  private String routing = "prefix";

  @Option(names = "--processes", description = "Each member is a process of its own.")
  private boolean processes;

  @Mixin private Output output;

  /** For picocli. */
  public RingCommand() {}

  private record SceneRow(
      String event,
      long atMillis,
      @Nullable String member,
      String lock,
      @Nullable String holder,
      List<String> waiting,
      int entries,
      Map<String, String> members,
      Map<String, String> replicas) {}

  private record VerdictRow(
      String verdict,
      String backend,
      String routing,
      int nodes,
      boolean processes,
      int entries,
      double seconds,
      List<String> problems) {}

  @Override
  public Integer call() throws InterruptedException {
    if (nodes < RingPlay.LEAST_NODES || nodes > RingPlay.MOST_NODES) {
      throw CommandException.usage(
          "--nodes must be from %d to %d.".formatted(RingPlay.LEAST_NODES, RingPlay.MOST_NODES));
    }
    RingProtocol protocol = RingPlay.hasty(protocol());
    // Connections that break are part of the play.
    Logging.use("ERROR", /* json= */ false);
    RingPlay.Verdict verdict = RingPlay.play(nodes, protocol, processes, this::tell);
    double seconds = verdict.view().atMillis() / 1e3;
    output.row(
        new VerdictRow(
            verdict.holds() ? "holds" : "broken",
            backend,
            routing,
            nodes,
            processes,
            verdict.entries(),
            seconds,
            verdict.problems()),
        text(verdict));
    return verdict.holds() ? ExitCode.OK : ExitCode.FAILED;
  }

  private RingProtocol protocol() {
    Routings way =
        Routings.ofWord(routing)
            .orElseThrow(
                () ->
                    CommandException.usage(
                        "--routing is prefix or ring, not %s.".formatted(routing)));
    return RingProtocols.find(backend)
        .orElseThrow(
            () ->
                CommandException.usage(
                    "There is no backend '%s' for rings; choose one of %s."
                        .formatted(backend, RingProtocols.names())))
        .withRouting(way);
  }

  private void tell(RingPlay.Scene scene, @Nullable String member, RingPlay.View view) {
    Map<String, String> members = new TreeMap<>();
    view.members().forEach((name, id) -> members.put(name, id.toString()));
    Map<String, String> replicas = new TreeMap<>();
    view.replicas().forEach((index, owner) -> replicas.put("r" + (index + 1), owner));
    output.row(
        new SceneRow(
            scene.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            view.atMillis(),
            member,
            view.lock(),
            view.holder(),
            view.waiting(),
            view.entries(),
            members,
            replicas),
        String.format(
            Locale.ROOT, "%6.1f s %s", view.atMillis() / 1e3, sentence(scene, member, view)));
    if (isDrawn(scene)) {
      RingPicture.lines(view).forEach(output::text);
    }
  }

  private static boolean isDrawn(RingPlay.Scene scene) {
    return switch (scene) {
      case FORMED, KILLED_HOLDING, KILLED_WAITING, GOES_ON -> true;
      case CONTEND, HOLDS, TAKEN_OVER, JOINED -> false;
    };
  }

  private static String sentence(
      RingPlay.Scene scene, @Nullable String member, RingPlay.View view) {
    return switch (scene) {
      case FORMED -> "a ring of %d members".formatted(view.members().size());
      case CONTEND -> "members contend for the lock: %d entries".formatted(view.entries());
      case HOLDS -> "%s holds the lock".formatted(member);
      case KILLED_HOLDING -> "%s is killed while it holds the lock".formatted(member);
      case TAKEN_OVER -> "its lease is over: another has the lock";
      case JOINED -> "%s joins".formatted(member);
      case KILLED_WAITING -> "%s is killed while it waits for the lock".formatted(member);
      case GOES_ON -> "all who live had the lock again: %d entries".formatted(view.entries());
    };
  }

  private static String text(RingPlay.Verdict verdict) {
    if (verdict.holds()) {
      return "%d entries, no two at once, and the ring is closed: it holds."
          .formatted(verdict.entries());
    }
    return "It is BROKEN:%n  %s".formatted(String.join("%n  ".formatted(), verdict.problems()));
  }
}
