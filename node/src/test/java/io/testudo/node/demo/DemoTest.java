package io.testudo.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.Screen;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The whole demo in a short form: its scenes last until something was done in them. */
class DemoTest {
  @Test
  void endsWithAVerdictForPrograms() {
    OneCommand demo = OneCommand.run("demo", "--seconds", "0.5", "--liar", "always-free", "--json");
    assertThat(demo.err()).isEmpty();
    JsonObject verdict =
        JsonParser.parseString(demo.lines().get(demo.lines().size() - 1)).getAsJsonObject();
    assertThat(verdict.get("verdict").getAsString()).as(demo.out()).isEqualTo("holds");
    assertThat(verdict.get("overlaps").getAsInt()).isZero();
    assertThat(verdict.get("lost").getAsInt()).isZero();
    assertThat(verdict.get("liar").getAsString()).isEqualTo("always-free");
    assertThat(verdict.get("entries").getAsLong()).isPositive();
    assertThat(verdict.get("increments").getAsLong()).isPositive();
    assertThat(demo.code()).isZero();
    assertThat(demo.lines().stream().filter(line -> line.contains("\"event\":\"state\"")))
        .as("who is honest is never accused")
        .allMatch(line -> line.contains("\"caught\":{\"s0\":0,\"s1\":0,"))
        .allMatch(line -> line.contains(",\"s3\":0},\"liesTold\""));
    assertThat(demo.lines().stream().filter(line -> !line.contains("\"event\":\"state\"")))
        .extracting(line -> line.replaceAll("\"atMillis\":\\d+,?", ""))
        .startsWith(
            "{\"event\":\"all-honest\",}",
            "{\"event\":\"lies\",\"server\":\"s2\"}",
            "{\"event\":\"honest-again\",\"server\":\"s2\"}",
            "{\"event\":\"killed\",\"server\":\"s3\"}",
            "{\"event\":\"back\",\"server\":\"s3\"}");
  }

  @Test
  void tellsPeopleWhatHappensOnLinesThatFit() {
    OneCommand demo = OneCommand.run("demo", "--seconds", "0.5");
    assertThat(demo.code()).as(demo.out()).isZero();
    assertThat(demo.out())
        .startsWith("Four servers keep a lock and a counter. One of them may lie,")
        .contains("s2 LIES from now on (has a state of its own", "s3 is killed", " 0 lost.\n")
        .contains("\nIt holds, whatever the liar said (equivocate).\n")
        .doesNotContain("\033");
    assertThat(demo.lines())
        .as("the table stays")
        .contains("  s0       honest")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Screen.USUAL_COLUMNS));
  }

  @Test
  void saysWhatIsBrokenOnLinesThatFit() {
    DemoRun.Verdict broken =
        new DemoRun.Verdict(
            false,
            12_345,
            12_345,
            123_456,
            1_234_567,
            0,
            0,
            ImmutableList.of(
                "alice with fence 1882196279516225290 and bob with fence 1882196279552896673 held"
                    + " at one time",
                "the counter cannot be read"),
            view(true));
    List<String> lines =
        new Narration(ByzantineKind.EQUIVOCATE, 3)
            .verdict(broken).stream().flatMap(line -> line.toString().lines()).toList();
    assertThat(lines)
        .contains("    held at one time", "It is BROKEN: 3 lied, and the cluster tolerates 1.")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Screen.USUAL_COLUMNS));
  }

  @Test
  void refusesLiesAndNumbersThatItDoesNotKnow() {
    OneCommand demo = OneCommand.run("demo", "--liar", "bad-mac");
    assertThat(demo.code()).isEqualTo(ExitCode.USAGE);
    assertThat(demo.err())
        .startsWith("testudo demo: There is no lie 'bad-mac' here; choose one of equivocate, ")
        .hasLineCount(1);
    assertThat(OneCommand.run("demo", "--liars", "4").err()).contains("from 1 to 3");
    assertThat(OneCommand.run("demo", "--seconds", "-1").err()).contains("above 0");
  }

  private static DemoRun.View view(boolean lies) {
    return new DemoRun.View(
        Duration.ofMillis(1_500),
        "carol",
        1_882_196_258_987_405_501L,
        List.of("alice", "bob"),
        1_234_567,
        12_345_678,
        11,
        12_345_678,
        List.of(
            new DemoRun.ServerView("s1", !lies, false, 0, 0),
            new DemoRun.ServerView("s2", true, lies, 1_234_567, 12_345)));
  }

  private static String drawn(Map<String, String> variables, int columns, DemoRun.View... views) {
    Screen screen = new Screen(true, true, columns, variables);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Picture picture =
        new Picture(new PrintStream(bytes, true, StandardCharsets.UTF_8), screen)) {
      for (DemoRun.View view : views) {
        picture.draw(view);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void drawsOverTheLastPicture() {
    String erased = "\033[1A\033[2K".repeat(6) + "\r";
    String table =
        Picture.lines(view(true)).stream().map(line -> line + "\n").collect(Collectors.joining());
    assertThat(drawn(Map.of("TERM", "xterm", "NO_COLOR", "1"), 80, view(true), view(true)))
        .isEqualTo("\r" + table + erased + table + erased);
    assertThat(table)
        .contains("held by carol", "; waiting: alice, bob\n", "1234567 lies told; clients proved")
        .contains("  s1       down\n", "  s2       LIES   ");
    assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    assertThat(Picture.line(view(true)))
        .isEqualTo("   1.5 s    lock: carol; counter: 12345678; s2: 1234567 lies");
  }

  @Test
  void hasColoursWhereTheyAreSeen() {
    assertThat(drawn(Map.of("TERM", "xterm"), 80, view(true)))
        .contains("\033[1;31mLIES            \033[0m1234567 lies told", "\033[33mdown\033[0m\n");
    assertThat(drawn(Map.of("TERM", "xterm"), 80, view(false))).contains("\033[32mhonest\033[0m\n");
  }

  /** A line that the terminal breaks would be two, of which only one is erased. */
  @Test
  void cutsLinesOfNarrowTerminals() {
    assertThat(
            drawn(Map.of("TERM", "xterm", "NO_COLOR", "1"), 40, view(true)).split("[\\n\\r]", -1))
        .filteredOn(line -> !line.startsWith("\033"))
        .contains("  fence    1882196258987405501  grows w")
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(40));
  }
}
