package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.node.OneCommand;
import io.testudo.node.Screen;
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
    assertThat(help.out().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Screen.USUAL_COLUMNS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "client", "object"})
  void listsItsCommandsWithAWholeSentenceEach(String group) {
    String help = OneCommand.run((group + " --help").strip().split(" ", -1)).out();
    String list = help.split("\nCommands:\n", 2)[1].split("\n\n", 2)[0];
    assertThat(list.split("\n(?!   )", -1))
        .hasSizeGreaterThan(1)
        .allSatisfy(entry -> assertThat(entry).endsWith("."));
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
