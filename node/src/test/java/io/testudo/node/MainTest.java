package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @Test
  void showsHelpIfNothingIsAsked() {
    assertThat(run()).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("Usage: testudo [-hV] [--debug] [--verbose] COMMAND")
        .contains("Locks and replicated objects", "Commands:", "Exit codes:", "70");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void findsCommandsOnTheClassPathAndListsThemByName() {
    assertThat(run("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).containsSubsequence("fail", "Fails, for tests.", "greet", "Greets");
  }

  @Test
  void showsTheVersionThatMavenWrote() {
    assertThat(run("--version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).matches("testudo \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\\R");
  }

  @Test
  void showsTheHelpOfACommandInAllForms() {
    assertThat(run("greet", "--help")).isEqualTo(ExitCode.OK);
    String help = out.toString();
    assertThat(help).contains("Usage: testudo greet", "--json", "--debug", "Whom to greet.");
    out.getBuffer().setLength(0);
    assertThat(run("help", "greet")).isEqualTo(ExitCode.OK);
    assertThat(run("greet", "-h")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(help + help);
  }

  @Test
  void speaksToPeople() {
    assertThat(run("greet", "--name", "Zoë")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).containsExactly("Greetings:", "Hello Zoë, 1 times");
  }

  @Test
  void speaksToProgramsInOneObjectPerLine() {
    assertThat(run("greet", "--name", "a<b>", "--times", "2", "--json")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).containsExactly("{\"name\":\"a<b>\",\"times\":2}");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void suggestsWhatAMistypedOptionMayMean() {
    assertThat(run("greet", "--name", "x", "--time", "2")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .containsExactly(
            "testudo greet: Unknown options: '--time', '2'; did you mean --times?",
            "Run 'testudo greet --help' for its options.");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void suggestsWhatAMistypedCommandMayMean() {
    assertThat(run("grete")).isEqualTo(ExitCode.USAGE);
    assertThat(run("objetc", "--help")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--debug", "object", "nothing", "like", "it")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .containsExactly(
            "testudo: There is no command 'grete'; did you mean greet?",
            "Run 'testudo --help' for its commands.",
            "testudo: There is no command 'objetc'; did you mean object?",
            "Run 'testudo --help' for its commands.",
            "testudo object: There is no command 'nothing'.",
            "Run 'testudo object --help' for its commands.");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void refusesMissingAndMalformedValues() {
    assertThat(run("greet")).isEqualTo(ExitCode.USAGE);
    assertThat(run("greet", "--name", "x", "--times", "two")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("Missing required option: '--name", "'two' is not an int")
        .doesNotContain("\tat ");
  }

  @Test
  void passesOnTheCodeOfTheCommand() {
    assertThat(run("fail", "code")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void tellsWhatTheUserCanMendInOneLine() {
    assertThat(run("fail", "user")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString().lines())
        .containsExactly("testudo fail: no server answers at [::1]:7001; start one with 'serve'");
  }

  @Test
  void keepsTheStackTraceForDebug() {
    assertThat(run("fail", "bug")).isEqualTo(ExitCode.INTERNAL);
    assertThat(err.toString().lines())
        .containsExactly(
            "testudo fail: an error in Testudo itself, java.lang.IllegalStateException: the"
                + " impossible happened; run it again with --debug to see where");
    assertThat(run("fail", "bug", "--debug")).isEqualTo(ExitCode.INTERNAL);
    assertThat(run("--debug", "fail", "user")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("\tat io.testudo.node.FailCommand.call", "CommandException: no server answers");
  }

  @Test
  void reportsErrorsOfTheVirtualMachineToo() {
    assertThat(run("fail", "error")).isEqualTo(ExitCode.INTERNAL);
    assertThat(err.toString()).contains("StackOverflowError: too deep").hasLineCount(1);
  }

  @Test
  void doesNotPassAnIncompleteOutputForSuccess() {
    Writer full =
        new FilterWriter(out) {
          @Override
          public void write(String text, int offset, int length) throws IOException {
            throw new IOException("no space left");
          }
        };
    int code = Main.run(new PrintWriter(full), new PrintWriter(err, true), "greet", "--name", "x");
    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("the output could not be written in full");
  }
}
