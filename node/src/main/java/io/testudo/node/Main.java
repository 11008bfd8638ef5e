package io.testudo.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.node.log.Logging;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code testudo} command: finds its subcommands and runs one. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // Before anything is logged: the level is read once.
    LogLevel.set(ownOptions(args));
    Logging.install();
    PrintWriter out = utf8(System.out);
    PrintWriter err = utf8(System.err);
    System.exit(run(out, err, args));
  }

  /** Whatever the locale is: JSON is UTF-8, and names of keys and files may be anything. */
  private static PrintWriter utf8(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, UTF_8), true);
  }

  /**
   * Runs one command with the subcommands that {@link ServiceLoader} finds.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    ErrorReport report = new ErrorReport(err, ownOptions(args).contains(CommonOptions.DEBUG));
    try {
      CommandLine root = commandLine(out, err, report, args);
      Optional<UnknownCommand> unknown = UnknownCommand.in(root, ownOptions(args));
      if (unknown.isPresent()) {
        return report.unknownCommand(unknown.get());
      }
      int code = root.execute(args);
      // A full disk or a closed pipe must not look like a complete result.
      return out.checkError() && code == ExitCode.OK ? report.outputLost() : code;
    } catch (Throwable e) {
      return report.internalError("testudo", e);
    }
  }

  /** What comes behind a double dash belongs to the command that is run. */
  private static List<String> ownOptions(String... args) {
    List<String> all = Arrays.asList(args);
    int end = all.indexOf("--");
    return end < 0 ? all : all.subList(0, end);
  }

  private static CommandLine commandLine(
      PrintWriter out, PrintWriter err, ErrorReport report, String... args) {
    CommandLine root = new CommandLine(new RootCommand());
    for (CommandLine subcommand : subcommands(args)) {
      root.addSubcommand(subcommand);
    }
    CommonOptions.addTo(root);
    return root.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(RootCommand.helpColumns(Screen.ofProcess()))
        .setParameterExceptionHandler((e, wrong) -> report.badUsage(e))
        .setExecutionExceptionHandler((e, command, parsed) -> report.failure(e, command));
  }

  /**
   * The one that is asked for, if it is, because making the others takes longer than most commands
   * do; else all of them, by name.
   */
  private static List<CommandLine> subcommands(String... args) {
    List<ServiceLoader.Provider<Subcommand>> all =
        ServiceLoader.load(Subcommand.class).stream().toList();
    return all.stream()
        .filter(provider -> args.length > 0 && standsAlone(provider.type(), args[0]))
        .findFirst()
        .map(List::of)
        .orElse(all)
        .stream()
        .map(provider -> new CommandLine(provider.get()))
        .sorted(Comparator.comparing(CommandLine::getCommandName))
        .toList();
  }

  private static boolean standsAlone(Class<? extends Subcommand> type, String name) {
    Command command = type.getAnnotation(Command.class);
    return command != null
        && command.name().equals(name)
        && !type.isAnnotationPresent(NeedsAllCommands.class);
  }
}
