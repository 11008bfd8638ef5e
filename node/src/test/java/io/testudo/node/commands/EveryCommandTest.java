package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.OneCommand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for all commands. */
class EveryCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "client",
        "client add",
        "client remove",
        "clear",
        "completion",
        "demo",
        "dev",
        "doctor",
        "init",
        "lock",
        "locks",
        "object",
        "object append",
        "object cas",
        "object delete",
        "object expire",
        "object get",
        "object incr",
        "object ls",
        "object pop",
        "object push",
        "object put",
        "object rm",
        "object sweep",
        "object watch",
        "readmit",
        "ring",
        "server",
        "status"
      })
  void hasHelpWithAnExample(String command) {
    String[] words = (command + " --help").split(" ", -1);
    OneCommand help = OneCommand.run(words);
    assertThat(help.code()).isZero();
    assertThat(help.out()).startsWith("Usage: testudo " + command).contains("Example:\n  ");
    assertThat(help.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clear",
        "client add",
        "client remove",
        "demo",
        "dev",
        "doctor",
        "init",
        "lock",
        "locks",
        "object append",
        "object cas",
        "object delete",
        "object expire",
        "object get",
        "object incr",
        "object ls",
        "object pop",
        "object push",
        "object put",
        "object rm",
        "object sweep",
        "object watch",
        "readmit",
        "ring",
        "server",
        "status"
      })
  void speaksToPrograms(String command) {
    String[] words = (command + " --help").split(" ", -1);
    assertThat(OneCommand.run(words).out()).contains("--json");
  }
}
