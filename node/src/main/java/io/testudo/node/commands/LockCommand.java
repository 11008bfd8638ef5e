package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.mutex.LockOptions;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.JsonLines;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.client.ChildGroup;
import io.testudo.node.client.LockedRun;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.Right;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code testudo lock}: runs a command while it holds a lock. */
@Command(
    name = "lock",
    description = {
      "Runs a command while it holds a lock, which is renewed as long as the command runs.",
      "The command finds the lock's name in TESTUDO_LOCK and its fencing token in TESTUDO_FENCE.",
      "What the lock protects should refuse a token smaller than one it has seen.",
      "If the lock is lost, the command's process group gets SIGTERM, and SIGKILL after the grace.",
      "With --json, what happens to the lock is told on the error stream."
    },
    customSynopsis = "testudo lock [OPTIONS] NAME -- COMMAND...",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the command ended with 0",
      "...:the command's own exit code; 128 and the number of a signal that ended it",
      "2:the command line is wrong",
      "123:the lock was lost, and the command was ended",
      "124:the lock was not free in time; nothing was run",
      "125:nothing was run, for any other reason",
      "126, 127:the command cannot be run, or was not found"
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo lock nightly/backup --wait 10s --hold 30s -- ./backup.sh --full")
public final class LockCommand implements Subcommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock.")
  private String name;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments, behind a double dash.")
  private List<String> command = new ArrayList<>();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long to wait for the lock; 0s tries once. Without limit by default.")
  private @Nullable Duration wait;

  @Option(
      names = "--hold",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long the lock outlives this process if it dies without a word. "
              + "By default 10 s, or the most that the servers grant if that is less.")
  private @Nullable Duration hold;

  @Option(
      names = "--grace",
      defaultValue = "2s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long after SIGTERM a command is killed (default: ${DEFAULT-VALUE}).")
  private Duration grace = Duration.ofSeconds(2);

  @Mixin private ClientOptions client;
  @Mixin private Output output;
  @Spec private CommandSpec spec;

  /** For picocli. */
  public LockCommand() {}

  private record Row(String event, String lock, @Nullable Long fence, @Nullable Integer exitCode) {}

  @Override
  public Integer call() throws InterruptedException {
    try {
      ClientConfig config = client.read();
      config.require(Right.LOCK, name);
      ChildGroup.requireRunnable(command.get(0));
      try (TestudoClient locks = TestudoClient.connect(config.file())) {
        LockedRun run = new LockedRun(locks, command, grace, this::tell, this::say);
        return run.run(name, options());
      }
    } catch (ConfigurationException e) {
      throw new CommandException(ExitCode.NOT_RUN, String.valueOf(e.getMessage()), e);
    } catch (CommandException e) {
      // 1 may be the command's own: what is ours has numbers of its own.
      int code = e.exitCode() == ExitCode.FAILED ? ExitCode.NOT_RUN : e.exitCode();
      throw new CommandException(code, String.valueOf(e.getMessage()), e);
    }
  }

  private LockOptions options() {
    try {
      LockOptions usual = LockOptions.standard().withAutoRenewal(LockOptions.MAX_TIME);
      LockOptions options = hold == null ? usual : usual.withHold(hold);
      return wait == null ? options.withoutMaxWait() : options.withMaxWait(wait);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private void tell(LockedRun.Happening happening) {
    if (output.isJson()) {
      spec.commandLine()
          .getErr()
          .println(
              JsonLines.line(
                  new Row(happening.event(), name, happening.fence(), happening.exitCode())));
    }
  }

  private void say(String sentence) {
    if (!output.isJson()) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + sentence);
    }
  }
}
