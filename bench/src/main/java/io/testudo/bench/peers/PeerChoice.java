package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.RowFields;
import io.testudo.node.CommandException;
import io.testudo.node.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which systems are measured. */
final class PeerChoice {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Measure only these systems; --list names all.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--list", description = "Say which systems there are, and which can be measured.")
  private boolean list;

  @Option(
      names = "--bft-smart",
      paramLabel = "DIR",
      description =
          "Measure BFT-SMaRt, too, of which this is a build (build/install/library of its tree);"
              + " never tried with one so far.")
  private @Nullable Path bftSmart;

  /** For picocli. */
  PeerChoice() {}

  boolean isList() {
    return list;
  }

  /**
   * Those that were asked for.
   *
   * @throws CommandException if there is no such system
   */
  ImmutableList<Peer> chosen() {
    ImmutableList.Builder<Peer> builder = ImmutableList.builder();
    builder.addAll(Peers.STANDARD);
    if (bftSmart != null) {
      checkBftSmart(bftSmart);
      builder.add(Peers.bftSmart(bftSmart.toAbsolutePath()));
    }
    ImmutableList<Peer> all = builder.build();
    for (String name : only) {
      if (Peers.named(all, name) == null) {
        throw new CommandException(
            "There is no system %s: choose from %s%s."
                .formatted(
                    name,
                    all.stream().map(Peer::name).collect(Collectors.joining(", ")),
                    name.equals(Peers.BFT_SMART) ? ", or say where it is by --bft-smart DIR" : ""));
      }
    }
    return all.stream()
        .filter(peer -> only.isEmpty() || only.contains(peer.name()))
        .collect(ImmutableList.toImmutableList());
  }

  /** What a build of it has; what else may be wrong shows when its servers start. */
  private static void checkBftSmart(Path build) {
    if (!Files.isDirectory(build)) {
      throw new CommandException("--bft-smart: there is no directory %s.".formatted(build));
    }
    for (String part : List.of("lib", "config")) {
      if (!Files.isDirectory(build.resolve(part))) {
        throw new CommandException(
            "--bft-smart: %s has no directory %s: name what './gradlew installDist' of BFT-SMaRt makes, build/install/library."
                .formatted(build, part));
      }
    }
    try (Stream<Path> jars = Files.list(build.resolve("lib"))) {
      if (jars.noneMatch(jar -> jar.getFileName().toString().endsWith(".jar"))) {
        throw new CommandException(
            "--bft-smart: %s has no jars in lib: build it by './gradlew installDist'."
                .formatted(build));
      }
    } catch (IOException e) {
      throw new CommandException("--bft-smart: cannot read %s.".formatted(build), e);
    }
  }

  /** Those that can be measured here; the others are left out by name. */
  static ImmutableList<Peer> able(
      List<Peer> chosen, DriverCommands commands, Predicate<Peer> isWanted, Consumer<String> say) {
    ImmutableList.Builder<Peer> able = ImmutableList.builder();
    for (Peer peer : chosen) {
      String obstacle = commands.obstacle(peer);
      if (obstacle != null) {
        say.accept("%s is left out: %s".formatted(peer.name(), obstacle));
      } else if (isWanted.test(peer)) {
        able.add(peer);
      }
    }
    ImmutableList<Peer> all = able.build();
    if (all.isEmpty()) {
      throw new CommandException(
          "None of the systems that were asked for can be measured: see --list.");
    }
    return all;
  }

  /** Says which systems there are, and which can be measured. */
  static void list(List<Peer> peers, DriverCommands commands, Output output) {
    for (Peer peer : peers) {
      String obstacle = commands.obstacle(peer);
      output.row(
          new RowFields()
              .with("system", peer.name())
              .with("title", peer.title())
              .with("servers", peer.servers())
              .with("durability", peer.durability().word())
              .with("replication", peer.replication())
              .with("faults", peer.faults())
              .with("obstacle", obstacle)
              .toMap(),
          obstacle == null
              ? PeerTable.legend(peer, "").replace(" :", "")
              : "%-15s cannot be measured: %s".formatted(peer.name(), obstacle));
    }
  }
}
