package io.testudo.bench;

import io.testudo.bench.comparing.CompareCommand;
import io.testudo.bench.comparing.ReportCommand;
import io.testudo.bench.contention.ContentionCommand;
import io.testudo.bench.locking.BenchLockCommand;
import io.testudo.bench.micro.MicroCommand;
import io.testudo.bench.objects.BenchObjectCommand;
import io.testudo.bench.peers.FaultsCommand;
import io.testudo.bench.peers.PeersCommand;
import io.testudo.bench.pinging.PingCommand;
import io.testudo.bench.regions.WideAreaCommand;
import io.testudo.bench.scale.ScaleCommand;
import io.testudo.node.ExitCode;
import io.testudo.node.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code testudo bench}: the measurements, one command each. Without one it lists them. */
@Command(
    name = "bench",
    description = {
      "Measure response times and rates, beside the floor that bare Netty sets.",
      "Each row tells the machine, the spread, and how much other processes disturbed it.",
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      PingCommand.class,
      BenchLockCommand.class,
      BenchObjectCommand.class,
      ContentionCommand.class,
      ScaleCommand.class,
      WideAreaCommand.class,
      PeersCommand.class,
      FaultsCommand.class,
      MicroCommand.class,
      ReportCommand.class,
      CompareCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench ping --quick",
      "  testudo bench ping --servers 4,6 --clients 1,8,32,64 --json",
      "  testudo bench lock --servers 4,6 --json",
      "  testudo bench object --quick",
      "  testudo bench contention --quick",
      "  testudo bench contention --object --quick",
      "  testudo bench scale --quick",
      "  testudo bench wide-area --quick",
      "  testudo bench peers --quick",
      "  testudo bench faults --quick",
      "  testudo bench micro --quick",
      "  testudo bench lock --quick --out lock",
      "  testudo bench report lock object --out report",
      "  testudo bench compare before after",
    })
public final class BenchCommand implements Subcommand {
  @Spec private CommandSpec spec;

  /** For picocli and the service loader. */
  public BenchCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.USAGE;
  }
}
