package io.testudo.bench.report;

import com.google.common.collect.ImmutableMap;
import io.testudo.bench.page.ResultsFolder;
import io.testudo.node.CommandException;
import io.testudo.node.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The option of every bench that says where its results go. */
public final class OutOption {
  private static final Set<String> NOT_OF_THE_RUN =
      Set.of("--out", "--json", "--help", "--debug", "--plot");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write a folder with a page to look at (index.html), results.json, tables and plots"
              + " (docs/bench-results.md).")
  private @Nullable Path folder;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** For picocli. */
  public OutOption() {}

  /**
   * What the command gives its results to.
   *
   * @param virtual whether its times are virtual
   * @throws CommandException if the folder would not be written in the end
   */
  public BenchOutput open(Output output, boolean virtual) {
    if (folder != null) {
      try {
        if (!ResultsFolder.isFree(folder)) {
          throw new CommandException(
              "--out: %s has other files in it, choose a new directory.".formatted(folder));
        }
      } catch (IOException e) {
        throw new CommandException("--out: cannot read %s.".formatted(folder), e);
      }
    }
    return new BenchOutput(
        output, folder, new RunRecord(commandLine(command), options(command)), virtual);
  }

  /** As it was typed. */
  public static String commandLine(CommandSpec command) {
    List<String> words = new ArrayList<>(List.of(command.qualifiedName(" ").split(" ", -1)));
    if (!words.get(0).equals("testudo")) {
      words.add(0, "testudo");
    }
    List<String> typed = command.commandLine().getParseResult().originalArgs();
    // All that was typed is there, also the names of the commands on the way.
    words.addAll(
        typed.subList(Math.min(typed.size(), typed.indexOf(command.name()) + 1), typed.size()));
    return String.join(" ", words);
  }

  /** Those that make a difference, with their values. */
  private static ImmutableMap<String, String> options(CommandSpec command) {
    ParseResult typed = command.commandLine().getParseResult();
    ImmutableMap.Builder<String, String> options = ImmutableMap.builder();
    for (OptionSpec option : command.options()) {
      String name = option.longestName();
      String value =
          typed.hasMatchedOption(option)
              ? typed.matchedOption(name).originalStringValues().stream()
                  .collect(Collectors.joining(","))
              : option.defaultValue();
      if (value != null && !NOT_OF_THE_RUN.contains(name)) {
        options.put(name, value);
      }
    }
    return options.buildOrThrow();
  }
}
