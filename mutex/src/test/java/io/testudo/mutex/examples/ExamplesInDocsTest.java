package io.testudo.mutex.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages show is what was compiled and run. */
class ExamplesInDocsTest {
  private static Path root() throws URISyntaxException {
    Path here =
        Path.of(
            ExamplesInDocsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    while (!Files.exists(here.resolve("README.md"))) {
      Path parent = here.getParent();
      if (parent == null) {
        throw new IllegalStateException("no README.md lies above the test classes");
      }
      here = parent;
    }
    return here;
  }

  /** The block of code that follows a comment with the file's name. */
  private static String shown(String page, String file) throws Exception {
    String text = Files.readString(root().resolve(page));
    String opening = "<!-- %s -->\n```java\n".formatted(file);
    assertThat(text).contains(opening);
    int start = text.indexOf(opening) + opening.length();
    return text.substring(start, text.indexOf("```", start));
  }

  private static String source(String file, String from) throws IOException, URISyntaxException {
    Path examples = root().resolve("mutex/src/test/java/io/testudo/mutex/examples");
    String text = Files.readString(examples.resolve(file));
    return text.substring(text.indexOf(from) + 1);
  }

  @Test
  void theReadmeShowsTheProgramThatRuns() throws Exception {
    assertThat(shown("README.md", "LockExample.java"))
        .isEqualTo(source("LockExample.java", "\nimport"))
        .hasLineCount(20);
  }

  @Test
  void thePageOnLocksShowsTheResourcesThatAreTested() throws Exception {
    for (String file : new String[] {"FencedRow.java", "FencedFile.java"}) {
      assertThat(shown("docs/locks.md", file)).isEqualTo(source(file, "\n/**"));
    }
  }

  @Test
  @Timeout(120)
  void theProgramOfTheReadmeRuns() throws InterruptedException {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      LockExample.main(new String[0]);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("true, for ");
  }
}
