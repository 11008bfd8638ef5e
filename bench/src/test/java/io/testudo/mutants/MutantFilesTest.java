package io.testudo.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.testudo.rules.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Mutants must not rot: each still fits its sources, in every build. */
class MutantFilesTest {
  private static final String MUTANT =
      """
      why: the key is lost
      tests: p.KeyTest, p.OtherTest

      file: crypto/src/main/java/p/Key.java
      find:
        key = 1;
      replace:
        key = 0;
      end:
      find:
        lock = 1;
      replace:
      end:
      """;

  @TempDir Path root;

  @TestFactory
  Stream<DynamicTest> everyMutantOfThisCheckoutFits() throws IOException {
    MutantFiles real = new MutantFiles(SourceTree.ofRunningTests());
    return real.list().stream()
        .map(
            file ->
                dynamicTest(
                    file.getFileName().toString(),
                    () -> {
                      Mutant mutant = real.read(file);
                      assertThat(real.changedSources(mutant)).isNotEmpty();
                      assertThat(real.missingTests(mutant)).isEmpty();
                    }));
  }

  private MutantFiles treeWith(String mutantPath, String source) throws IOException {
    write("crypto/src/main/java/p/Key.java", source);
    write("crypto/src/test/java/p/KeyTest.java", "class KeyTest {}");
    write(mutantPath, MUTANT);
    return new MutantFiles(new SourceTree(root, List.of("crypto")));
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), text);
  }

  @Test
  void makesAllEditsOfAFileInTurn() throws IOException {
    MutantFiles files = treeWith("mutants/crypto/lost.mutant", "{\n  key = 1;\n  lock = 1;\n}\n");
    Mutant mutant = files.read(files.list().get(0));
    assertThat(mutant.fullName()).isEqualTo("crypto/lost");
    assertThat(files.changedSources(mutant))
        .containsOnlyKeys("p/Key.java")
        .containsValue("{\n  key = 0;\n}\n");
  }

  @Test
  void tellsTestsThatDoNotExist() throws IOException {
    MutantFiles files = treeWith("mutants/crypto/lost.mutant", "");
    assertThat(files.missingTests(files.read(files.list().get(0))))
        .containsExactly("crypto/src/test/java/p/OtherTest.java");
  }

  @Test
  void refusesAnEditOutsideTheModule() throws IOException {
    MutantFiles files = treeWith("mutants/crypto/lost.mutant", "{\n  key = 1;\n  lock = 1;\n}\n");
    Mutant mutant = files.read(files.list().get(0));
    Mutant moved =
        new Mutant("quorum", mutant.name(), mutant.why(), mutant.tests(), mutant.edits());
    assertThatThrownBy(() -> files.changedSources(moved))
        .hasMessage("crypto/src/main/java/p/Key.java is no file below quorum/src/main/java/");
  }

  @Test
  void refusesAFileThatIsNoMutant() throws IOException {
    for (String path :
        List.of(
            "mutants/lost.mutant",
            "mutants/bench/lost.mutant",
            "mutants/crypto/lost.txt",
            "mutants/crypto/a/lost.mutant")) {
      MutantFiles files = treeWith(path, "");
      assertThatThrownBy(() -> files.read(root.resolve(path)))
          .isInstanceOf(BrokenMutantException.class)
          .hasMessageContaining(path + " is no mutant");
    }
  }

  @Test
  void knowsNoMutantsWhereNobodyWroteOne() throws IOException {
    MutantFiles files = new MutantFiles(new SourceTree(root, List.of("crypto")));
    assertThat(files.list()).isEmpty();
  }
}
