package io.testudo.node;

import com.google.common.base.Joiner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code simulate} that have to do with papers. */
final class Reproductions {
  @Option(
      names = "--reproduce",
      description =
          "Print the figures that papers claim beside those of this implementation, instead of a"
              + " search for broken promises.")
  private boolean wanted;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "With --reproduce: write plots there as SVG files, too.")
  private @Nullable Path directory;

  @Option(names = "--quick", description = "With --reproduce: short runs, for a look.")
  private boolean quick;

  /** For picocli, which makes the mixins of a command. */
  Reproductions() {}

  boolean isWanted() {
    if (!wanted && (directory != null || quick)) {
      throw CommandException.usage(
          "--out and --quick belong to --reproduce: add it or leave them.");
    }
    return wanted;
  }

  /** Runs the one of this protocol; gives the exit code. */
  int run(String protocol, long seed, Output output) {
    Reproduction.Settings settings =
        new Reproduction.Settings(quick, seed, Optional.ofNullable(directory));
    try {
      return find(protocol).run(settings, output) ? ExitCode.OK : ExitCode.FAILED;
    } catch (IOException e) {
      throw new CommandException(
          "Cannot write the figures, choose another --out: %s.".formatted(e.getMessage()), e);
    }
  }

  private static Reproduction find(String protocol) {
    List<String> known = new ArrayList<>();
    for (Reproduction one : ServiceLoader.load(Reproduction.class)) {
      if (one.protocol().equals(protocol)) {
        return one;
      }
      known.add(one.protocol());
    }
    Collections.sort(known);
    throw CommandException.usage(
        "Nothing is reproduced of %s here: choose from %s."
            .formatted(protocol, known.isEmpty() ? "none" : Joiner.on(", ").join(known)));
  }
}
