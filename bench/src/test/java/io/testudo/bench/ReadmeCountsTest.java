package io.testudo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What README.md quotes of simulations is what they print, on every machine. */
class ReadmeCountsTest {
  private static final Path README = Path.of("..", "README.md");

  private static String simulate(String... words) {
    StringWriter out = new StringWriter();
    int unused = Main.run(new PrintWriter(out, true), new PrintWriter(new StringWriter()), words);
    return out.toString();
  }

  private static String find(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group();
  }

  @Test
  void theCampaignBeyondTheBoundPrintsTheQuotedSeed() throws IOException {
    String readme = Files.readString(README);
    String first = "first: seed \\d+, [^\\n]*";
    String printed = simulate("simulate", "--protocol", "ping", "--liars", "2");
    assertThat(find(printed, first)).isEqualTo(find(readme, first));
    String broken = "2 liars are more than the 1 [^\\n]*";
    assertThat(find(printed, broken)).isEqualTo(find(readme, broken));
    String replay = "replay: \\./testudo simulate [^\\n]*";
    assertThat(find(printed, replay)).isEqualTo(find(readme, replay));
  }
}
