package io.testudo.node.commands;

import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.config.RingMemberConfig;
import io.testudo.node.server.Daemon;
import io.testudo.node.server.RingDaemon;
import io.testudo.quorum.cluster.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code testudo server}: runs one server until it is told to stop. */
@Command(
    name = "server",
    description = {
      "Runs one server of a cluster, or a member of a ring, until SIGTERM or SIGINT.",
      "SIGHUP makes it read its limits, and the rights in its cluster file, again."
    },
    customSynopsis = "testudo server [OPTIONS] --config FILE",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as told",
      "1:it could not start",
      "3:the virtual machine ran out of memory",
      "70:an error in Testudo itself, or of the virtual machine",
      "74:the disk failed or is full"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo server --config prod/s0/server.conf",
      "  curl http://127.0.0.1:8001/readyz",
      "  testudo server --config ring/s0/server.conf --ring new",
      "  testudo server --config ring/s1/server.conf --ring a.example:7001"
    })
public final class ServerCommand implements Subcommand {
  private static final String FOUND = "new";

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The server's configuration, as 'testudo init' made it.")
  private Path config = Path.of("server.conf");

  @Option(
      names = "--readmit",
      description =
          "The server has lost its journals for good: make new ones, and take part again "
              + "when clients have brought it up to date. Only for one that was told to; see the docs.")
  private boolean readmit;

  @Option(
      names = "--ring",
      split = ",",
      paramLabel = "HOST:PORT",
      description =
          "Of a member of a ring: join it through the members there, instead of those that the "
              + "cluster file names; or 'new': found a ring, of which this is the first member.")
  private List<String> ring = new ArrayList<>();

  @Mixin private Output output;

  /** For picocli. */
  public ServerCommand() {}

  private record Row(
      String event, String cluster, String server, String listen, @Nullable String admin) {}

  private record MemberRow(
      String event, String ring, String member, String address, @Nullable String admin) {}

  @Override
  public Integer call() throws InterruptedException {
    if (RingMemberConfig.isOne(config)) {
      return beMember();
    }
    if (!ring.isEmpty()) {
      throw new CommandException(
          "%s is the configuration of a server of a cluster, which joins no ring; leave --ring out."
              .formatted(config));
    }
    try (Daemon daemon = Daemon.start(config, readmit)) {
      output.row(
          new Row("ready", daemon.cluster(), daemon.server(), daemon.listen(), daemon.admin()),
          "%s of cluster %s listens at %s%s"
              .formatted(
                  daemon.server(),
                  daemon.cluster(),
                  daemon.listen(),
                  daemon.admin() == null ? "" : ", for operators at http://" + daemon.admin()));
      daemon.await();
      return ExitCode.OK;
    }
  }

  private int beMember() throws InterruptedException {
    if (readmit) {
      throw CommandException.usage("A member of a ring keeps nothing; leave --readmit out.");
    }
    boolean founds = ring.equals(List.of(FOUND));
    List<Endpoint> named = founds ? List.of() : ring.stream().map(ServerCommand::endpoint).toList();
    try (RingDaemon daemon = RingDaemon.start(config, founds, named)) {
      String operators = daemon.admin();
      tell(
          daemon,
          "listens",
          "%s of ring %s listens at %s"
              + (operators == null ? "" : ", for operators at http://" + operators));
      daemon.await(() -> tell(daemon, "ready", "%s of ring %s has found its place, at %s"));
      return ExitCode.OK;
    }
  }

  private static Endpoint endpoint(String text) {
    try {
      return new Endpoints().convert(text);
    } catch (TypeConversionException e) {
      throw CommandException.usage(
          "--ring: %s, or 'new' to found a ring.".formatted(e.getMessage()), e);
    }
  }

  private void tell(RingDaemon daemon, String event, String text) {
    output.row(
        new MemberRow(event, daemon.ring(), daemon.member(), daemon.address(), daemon.admin()),
        text.formatted(daemon.member(), daemon.ring(), daemon.address()));
  }
}
