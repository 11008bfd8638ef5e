package io.testudo.client.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the page shows this very program is a rule of the house, tested in bench. */
class RecipesExampleTest {
  @Test
  @Timeout(120)
  void theProgramOfThePageRuns() throws InterruptedException {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      RecipesExample.main(new String[0]);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("prints with permit 1", "reads, as others may: true", "generation 1");
  }
}
