package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  @Test
  void cleansUpAfterItself() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (ProgressLine progress =
        new ProgressLine(new PrintStream(terminal, true, StandardCharsets.UTF_8), 10, "runs")) {
      progress.accept(1);
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8)).endsWith("\r\033[K");
  }
}
