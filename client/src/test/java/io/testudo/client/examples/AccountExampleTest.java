package io.testudo.client.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the README shows this very program is a rule of the house, tested in bench. */
class AccountExampleTest {
  @Test
  @Timeout(120)
  void theProgramOfTheReadmeRuns() {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      AccountExample.main(new String[0]);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("receipt "),
            second -> assertThat(second).isEqualTo("refused"),
            third -> assertThat(third).isEqualTo("10000 cents"));
  }
}
