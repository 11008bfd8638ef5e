package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void cleansUpAfterItself() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (Progress progress =
        new Progress(new PrintStream(terminal, true, StandardCharsets.UTF_8), 10, "runs")) {
      progress.accept(1);
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8)).endsWith("\r\033[K");
  }
}
