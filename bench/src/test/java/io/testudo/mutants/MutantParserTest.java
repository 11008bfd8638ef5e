package io.testudo.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.mutants.Mutant.Edit;
import org.junit.jupiter.api.Test;

class MutantParserTest {
  private static Mutant parse(String text) {
    return MutantParser.parse("quorum", "one-less", text);
  }

  @Test
  void readsHeaderCommentsAndEdits() {
    Mutant mutant =
        parse(
            """
            # A comment.
            why: one liar suffices
            tests: a.FirstTest, a.SecondTest

            file: quorum/src/main/java/a/First.java
            find:
                return votes > faults;

                // end: is not the end here
            replace:
                return votes >= faults;
            end:

            file: quorum/src/main/java/a/Second.java
            find:
              check();
            replace:
            end:
            """);
    assertThat(mutant.why()).isEqualTo("one liar suffices");
    assertThat(mutant.tests()).containsExactly("a.FirstTest", "a.SecondTest");
    assertThat(mutant.edits())
        .containsExactly(
            new Edit(
                "quorum/src/main/java/a/First.java",
                "    return votes > faults;\n\n    // end: is not the end here\n",
                "    return votes >= faults;\n"),
            new Edit("quorum/src/main/java/a/Second.java", "  check();\n", ""));
    assertThat(mutant.isCalled("one-less")).isTrue();
    assertThat(mutant.isCalled("quorum/one-less")).isTrue();
    assertThat(mutant.isCalled("less")).isFalse();
  }

  @Test
  void takesAllTestsWhereNoneAreNamed() {
    assertThat(parse("why: x\nfile: f\nfind:\na\nreplace:\nb\nend:\n").tests()).isEmpty();
  }

  @Test
  void saysWhatIsWrongAndWhere() {
    assertBroken("file: f\nfind:\na\nreplace:\nb\nend:\n", "needs a line 'why: ...'");
    assertBroken("why: x\n", "needs an edit");
    assertBroken("why: x\nfind:\na\nreplace:\nb\nend:\n", "needs a line 'file: ...' before");
    assertBroken("why: x\nfile: f\nfind:\na\n", "line 4: ends before a line 'replace:'");
    assertBroken("why: x\nfile: f\nfind:\na\nreplace:\nb\n", "ends before a line 'end:'");
    assertBroken("why: x\nfile: f\nfind:\n\nreplace:\nb\nend:\n", "has nothing to find");
    assertBroken("why: x\nfile: f\nfind:\na\nreplace:\na\nend:\n", "replaces lines by themselves");
    assertBroken("why: x\nbecause: y\n", "line 2: does not expect 'because: y' here");
    assertBroken("why: x\nwhy: y\n", "does not expect 'why: y' here");
  }

  private static void assertBroken(String text, String problem) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(BrokenMutantException.class)
        .hasMessageStartingWith("mutant one-less, line ")
        .hasMessageContaining(problem);
  }

  private static final Edit EDIT = new Edit("A.java", "  a();\n  b();\n", "  c();\n");

  @Test
  void editReplacesWholeLines() {
    assertThat(EDIT.applyTo("{\n  a();\n  b();\n}\n")).isEqualTo("{\n  c();\n}\n");
    assertThat(EDIT.applyTo("  a();\n  b();\n")).isEqualTo("  c();\n");
  }

  @Test
  void editDoesNotMatchInTheMiddleOfALine() {
    assertThat(EDIT.applyTo("x  a();\n  b();\n  a();\n  b();\n"))
        .isEqualTo("x  a();\n  b();\n  c();\n");
    assertThatThrownBy(() -> EDIT.applyTo("x  a();\n  b();\n"))
        .hasMessageContaining("do not occur in A.java");
  }

  @Test
  void editRefusesToGuessBetweenTwoPlaces() {
    assertThatThrownBy(() -> EDIT.applyTo("  a();\n  b();\n\n  a();\n  b();\n"))
        .isInstanceOf(BrokenMutantException.class)
        .hasMessageContaining("occur more than once in A.java");
  }
}
