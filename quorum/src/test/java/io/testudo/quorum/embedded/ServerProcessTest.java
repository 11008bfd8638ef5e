package io.testudo.quorum.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The times are hang guards, for a machine under any load. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServerProcessTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void tellsThePortsOfAChildThatIsReady() throws Exception {
    ServerProcess child = ServerProcess.start(Children.Good.class, List.of("4711", "4712"));
    try (child) {
      assertThat(child.ports()).containsExactly(4711, 4712);
      assertThat(child.handle().isAlive()).isTrue();
    }
    assertThat(child.handle().isAlive()).isFalse();
  }

  @Test
  void endsTwiceWithoutHarm() throws Exception {
    ServerProcess child = ServerProcess.start(Children.Good.class, List.of("1"));
    child.close();
    child.close();
    assertThat(child.handle().isAlive()).isFalse();
  }

  @Test
  void tellsTheLastWordsOfAChildThatDiesEarly() {
    assertThatThrownBy(() -> ServerProcess.start(Children.DiesEarly.class, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("DiesEarly ended before it was ready; it said: ")
        .hasMessageContaining("the port is taken");
  }

  @Test
  void killsAChildThatDoesNotGetReady() {
    assertThatThrownBy(
            () ->
                ServerProcess.start(
                    Children.NeverReady.class, List.of(), Duration.ofMillis(1), LONG))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("NeverReady was not ready within PT0.001S");
  }

  @Test
  void killsAChildThatDoesNotEnd() throws Exception {
    ServerProcess child =
        ServerProcess.start(Children.Stubborn.class, List.of(), LONG, Duration.ofMillis(1));
    child.close();
    assertThat(child.handle().isAlive()).isFalse();
  }

  @Test
  void doesNotOutliveAParentThatIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Children.Parent.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = parent.inputReader()) {
      String line = said.readLine();
      assertThat(line).startsWith("child ");
      ProcessHandle child =
          ProcessHandle.of(Long.parseLong(line.substring("child ".length()))).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      parent.destroyForcibly().waitFor();
      // Ends, or the guard of this class does.
      child.onExit().get();
    } finally {
      parent.destroyForcibly().waitFor();
    }
  }
}
