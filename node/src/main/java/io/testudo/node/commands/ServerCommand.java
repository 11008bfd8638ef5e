package io.testudo.node.commands;

import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.server.Daemon;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo server}: runs one server until it is told to stop. */
@Command(
    name = "server",
    description = {
      "Runs one server of a cluster until SIGTERM or SIGINT.",
      "SIGHUP makes it read its limits, and the rights in its cluster file, again."
    },
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
      "  curl http://127.0.0.1:8001/readyz"
    })
public final class ServerCommand implements Subcommand {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The server's configuration, as 'testudo init' made it.")
  private Path config = Path.of("server.conf");

  @Option(
      names = "--readmit",
      description = {
        "The server has lost its journals for good: make new ones, and take part again",
        "when clients have brought it up to date. Only for one that was told to; see the docs."
      })
  private boolean readmit;

  @Mixin private Output output;

  /** For picocli. */
  public ServerCommand() {}

  private record Row(
      String event, String cluster, String server, String listen, @Nullable String admin) {}

  @Override
  public Integer call() throws InterruptedException {
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
}
