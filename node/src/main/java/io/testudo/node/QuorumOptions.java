package io.testudo.node;

import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.sim.SimulatedProtocol;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which quorums a simulated cluster has, and whom its clients ask first. */
final class QuorumOptions {
  @Option(
      names = "--quorums",
      paramLabel = "KIND",
      description = "Which sets count: standard, least, grid or m-grid (standard).")
  private @Nullable String kind;

  @Option(
      names = "--access",
      paramLabel = "FIRST",
      description = "Whom clients ask first: all, or a quorum, which some do not (all).")
  private @Nullable String access;

  /** Of so many servers; of as few as there must be for such quorums if that is left open. */
  Thresholds thresholds(Need need, @Nullable Integer servers, int faults) {
    QuorumKind chosen;
    try {
      chosen = QuorumKind.named(kind == null ? QuorumKind.STANDARD.word() : kind);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--quorums: " + e.getMessage() + ".", e);
    }
    if (servers != null) {
      return chosen.thresholds(need, servers, faults);
    }
    int count = need.leastServers(faults);
    while (count < ServerId.MAX_SERVERS && !isPossible(chosen, need, count, faults)) {
      count++;
    }
    return chosen.thresholds(need, count, faults);
  }

  /** Not where there is no square, or too small a one. */
  private static boolean isPossible(QuorumKind kind, Need need, int count, int faults) {
    try {
      Thresholds unused = kind.thresholds(need, count, faults);
      return true;
    } catch (QuorumConfigurationException e) {
      return false;
    }
  }

  Access access(SimulatedProtocol protocol, String mode) {
    if (access == null || access.equals("all")) {
      return Access.ALL;
    }
    if (!access.equals("quorum")) {
      throw CommandException.usage("--access is all or quorum, not %s.".formatted(access));
    }
    if (!protocol.drawsQuorums(mode)) {
      throw CommandException.usage(
          "Clients of %s in mode %s have nobody to choose from: leave --access out."
              .formatted(protocol.name(), mode));
    }
    return Access.QUORUM;
  }

  /** The same options once more. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    if (kind != null) {
      words.addAll(List.of("--quorums", kind));
    }
    if (access != null) {
      words.addAll(List.of("--access", access));
    }
    return words;
  }
}
