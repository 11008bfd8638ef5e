package io.testudo.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
  void tellsPeopleWhatHappens() {
    OneCommand demo = OneCommand.run("demo", "--seconds", "0.5");
    assertThat(demo.code()).as(demo.out()).isZero();
    assertThat(demo.out())
        .contains("s2: lies from now on (has a state of its own", "s3: killed", " 0 lost.")
        .endsWith("It holds, whatever the liar said (equivocate).\n");
  }

  @Test
  void refusesLiesAndNumbersThatItDoesNotKnow() {
    OneCommand demo = OneCommand.run("demo", "--liar", "bad-mac");
    assertThat(demo.code()).isEqualTo(ExitCode.FAILED);
    assertThat(demo.err())
        .startsWith("testudo demo: There is no lie 'bad-mac' here; choose one of equivocate, ")
        .hasLineCount(1);
    assertThat(OneCommand.run("demo", "--liars", "4").err()).contains("from 1 to 3");
    assertThat(OneCommand.run("demo", "--seconds", "-1").err()).contains("above 0");
  }

  @Test
  void drawsOverTheLastPicture() {
    DemoRun.View view =
        new DemoRun.View(
            Duration.ofMillis(1_500),
            "bob",
            41,
            List.of("alice"),
            7,
            12,
            11,
            12,
            List.of(new DemoRun.ServerView("s2", true, true, 30, 4)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Picture picture = new Picture(new PrintStream(bytes, true, StandardCharsets.UTF_8))) {
      picture.draw(view);
      picture.draw(view);
    }
    String erased = "\033[1A\033[2K".repeat(4) + "\r";
    String drawn = String.join("\n", Picture.lines(view)) + "\n";
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r" + drawn + erased + drawn + erased);
    assertThat(drawn).contains("held by bob", "fence 41", "waiting: alice", "LIES", "30 lies told");
    assertThat(Picture.line(view))
        .isEqualTo(
            "   1.5 s   lock: bob, fence 41; counter: 12 at version 11; caught: s2 4;"
                + " lies told: s2 30");
  }
}
