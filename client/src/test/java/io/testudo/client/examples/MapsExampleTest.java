package io.testudo.client.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the page shows this very program is a rule of the house, tested in bench. */
class MapsExampleTest {
  @Test
  @Timeout(120)
  void theProgramOfThePageRuns() {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      MapsExample.main(new String[0]);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("renewed: true", "booked: true", "{alice}/name: Alice", "2 of 2", "Rome\n");
  }
}
