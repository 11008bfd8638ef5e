package io.testudo.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.GridQuorums;
import io.testudo.quorum.MGridQuorums;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumSystem;
import io.testudo.quorum.ThresholdQuorums;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Recomputes every number in the tables of docs/quorums.md, from what protocols declare. */
class QuorumsPageTest {
  private static final Pattern MULTIPLE_OF_B = Pattern.compile("(\\d*)b(?:\\+(\\d+))?");

  private static final List<Need> DECLARED =
      Stream.of(
              Stream.of(Need.PING),
              LockProtocols.ALL.protocols().stream().map(LockProtocol::needs).flatMap(List::stream),
              Stream.of(Mode.values()).map(Mode::need))
          .flatMap(needs -> needs)
          .toList();

  private final List<String> page = readPage();

  @Test
  void modesHaveNamesOfTheirOwnAndSayWhereTheyComeFrom() {
    assertThat(DECLARED.stream().map(Need::modeName))
        .containsExactly(
            "ping",
            "all-servers",
            "quorums",
            "sigma",
            "sigma-hardened",
            "plain",
            "sealed-ranks",
            "sealed-statements");
    assertThat(DECLARED.stream().map(Need::origin))
        .allMatch(sentence -> sentence.endsWith(")."))
        .doesNotHaveDuplicates();
  }

  @Test
  void needsAreAsThePageSays() {
    List<List<String>> rows = tableUnder("| mode | two quorums share |");

    assertThat(rows).hasSize(DECLARED.size());
    for (List<String> row : rows) {
      Need need = needOf(row);
      for (int b = 1; b <= 3; b++) {
        int least = need.leastServers(b);
        assertThat(need.sharedServers(b)).as("%s", row).isEqualTo(evaluate(row.get(1), b));
        assertThat(need.absentServers(b)).as("%s", row).isEqualTo(evaluate(row.get(2), b));
        assertThat(least).as("%s", row).isEqualTo(evaluate(row.get(3), b));
        assertThat(row.get(4 + b)).isEqualTo(least + ", " + need.thresholds(least, b).quorum());
      }
    }
  }

  @Test
  void countsAreAsThePageSays() {
    List<List<String>> rows = tableUnder("| mode | asked |");

    assertThat(rows).hasSize(DECLARED.size());
    for (List<String> row : rows) {
      Need need = needOf(row);
      Thresholds thresholds = need.thresholds(need.leastServers(1), 1);
      assertThat(row)
          .containsExactly(
              need.modeName(),
              "" + thresholds.asked(),
              "" + thresholds.consents(),
              "" + thresholds.toleratedDenials(),
              "" + thresholds.vouchers(),
              numberOrDash(thresholds::refusalsToGiveUp),
              numberOrDash(thresholds::repliesThatSettleACommit));
    }
  }

  @Test
  void constructionsAreAsThePageSays() {
    List<List<String>> rows = tableUnder("| system | n | b |");

    assertThat(rows).hasSizeGreaterThanOrEqualTo(10);
    for (List<String> row : rows) {
      QuorumSystem quorums =
          systemOf(row.get(0), Integer.parseInt(row.get(1)), Integer.parseInt(row.get(2)));
      assertThat(row.subList(3, row.size()))
          .as("%s", row)
          .containsExactly(
              "" + quorums.quorumSize(),
              "" + quorums.intersection(),
              String.format(Locale.ROOT, "%.3f", quorums.load()),
              String.format(Locale.ROOT, "%.1e", quorums.failureProbability(0.01)),
              String.format(Locale.ROOT, "%.1e", quorums.failureProbability(0.1)));
    }
  }

  @Test
  void gridsGainLoadWhereThePageSays() {
    List<QuorumSystem> gaining = new ArrayList<>();
    for (int side = 1; side <= 8; side++) {
      int servers = side * side;
      for (int b = 1; 3 * b + 1 <= side; b++) {
        gaining.add(GridQuorums.of(servers, b));
      }
      for (int b = 1; 2 * b + 1 <= side; b++) {
        gaining.add(MGridQuorums.of(servers, b));
      }
    }
    gaining.removeIf(
        grid -> grid.load() >= ThresholdQuorums.masking(grid.servers(), grid.faults()).load());

    assertThat(gaining.stream().filter(grid -> grid.servers() < 49))
        .singleElement()
        .hasToString("M-grid of 36 servers, b=2, quorums of 20");
    assertThat(gaining).anyMatch(grid -> grid instanceof GridQuorums && grid.servers() == 49);
  }

  @Test
  void errorIsAsThePageSays() {
    QuorumConfigurationException refusal =
        catchThrowableOfType(
            QuorumConfigurationException.class, () -> Mode.PLAIN.need().thresholds(5, 1));

    assertThat(page).anyMatch(line -> line.contains("`" + refusal.getMessage() + "`"));
  }

  private static QuorumSystem systemOf(String name, int servers, int faults) {
    return switch (name) {
      case "dissemination" -> ThresholdQuorums.dissemination(servers, faults);
      case "masking" -> ThresholdQuorums.masking(servers, faults);
      case "opaque" -> ThresholdQuorums.opaque(servers, faults);
      case "grid" -> GridQuorums.of(servers, faults);
      case "M-grid" -> MGridQuorums.of(servers, faults);
      default -> throw new AssertionError("no system is called " + name);
    };
  }

  private static Need needOf(List<String> row) {
    String mode = row.get(0).split(" ", 2)[0];
    return DECLARED.stream()
        .filter(need -> need.modeName().equals(mode))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no mode is called " + mode));
  }

  private static int evaluate(String formula, int b) {
    Matcher parts = MULTIPLE_OF_B.matcher(formula);
    assertThat(parts.matches()).as(formula).isTrue();
    int factor = parts.group(1).isEmpty() ? 1 : Integer.parseInt(parts.group(1));
    return factor * b + (parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2)));
  }

  private static String numberOrDash(IntSupplier count) {
    try {
      return "" + count.getAsInt();
    } catch (UnsupportedOperationException notCounted) {
      return "-";
    }
  }

  /** The cells of the table with this header, without its header and its ruler. */
  private List<List<String>> tableUnder(String header) {
    int first = 0;
    while (!page.get(first).startsWith(header)) {
      first++;
    }
    return page.stream()
        .skip(first + 2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  private static List<String> readPage() {
    Path page =
        Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
            .map(room -> room.resolve("docs/quorums.md"))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    try {
      return Files.readAllLines(page);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
