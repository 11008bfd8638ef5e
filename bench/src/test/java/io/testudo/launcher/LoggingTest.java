package io.testudo.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.log.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the command's log looks like, with the class path that it has. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LoggingTest {
  /** Logs one line of each level, as the command does if it is given a word. */
  static final class Chatter {
    public static void main(String[] args) {
      if (args.length > 0) {
        Logging.install();
      }
      Logger log = LoggerFactory.getLogger(Chatter.class);
      log.debug("a detail");
      log.info("some news");
      log.warn("a warning");
    }
  }

  private record Said(String out, String err) {}

  private static Said run(String... options) throws IOException {
    return run(List.of("as-command"), options);
  }

  private static Said run(List<String> arguments, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Chatter.class.getName()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).start();
    try {
      return new Said(
          new String(process.getInputStream().readAllBytes(), UTF_8),
          new String(process.getErrorStream().readAllBytes(), UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void showsWarningsOnTheErrorStreamAndNothingElse() throws IOException {
    Said said = run();
    assertThat(said.out()).isEmpty();
    assertThat(said.err().lines())
        .singleElement()
        .asString()
        .matches("\\S+T\\S+Z WARN  LoggingTest\\$Chatter - a warning");
  }

  @Test
  void isLeftToAnApplicationThatHasItOnItsClassPath() throws IOException {
    assertThat(run(List.of())).isEqualTo(new Said("", "")); // As the tests of this module have it.
  }

  @Test
  void showsMoreIfItIsAskedTo() throws IOException {
    Said said = run("-Dtestudo.log.level=INFO");
    assertThat(said.out()).isEmpty();
    assertThat(said.err().lines()).hasSize(2);
    assertThat(said.err()).contains("some news", "a warning");
  }
}
