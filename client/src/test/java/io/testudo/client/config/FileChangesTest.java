package io.testudo.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChangesTest {
  @TempDir Path directory;
  private Path one;
  private Path other;
  private FileChanges changes;
  private long millis = 1_000_000;

  @BeforeEach
  void read() throws IOException {
    one = write("one", "a");
    other = directory.resolve("other");
    changes = new FileChanges(ImmutableSet.of(one, other));
    changes.lookOnce();
    changes.took(ImmutableSet.of(one, other));
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    millis += 1_000;
    return Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
  }

  @Test
  void saysNothingAsLongAsNothingChanges() {
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isFalse();
  }

  @Test
  void waitsUntilTwoLooksSeeTheSame() throws IOException {
    write("one", "ab");
    assertThat(changes.look()).isFalse();
    write("one", "abc");
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
    changes.took(ImmutableSet.of(one, other));
    assertThat(changes.look()).isFalse();
  }

  @Test
  void saysSoAgainUntilItIsTaken() throws IOException {
    write("one", "half");
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
    assertThat(changes.look()).isTrue();
  }

  @Test
  void noticesAFileThatComesThatGoesAndThatIsPutInThePlaceOfAnother() throws IOException {
    write("other", "b");
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
    changes.took(ImmutableSet.of(one, other));
    Files.delete(other);
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
    changes.took(ImmutableSet.of(one, other));
    Path fresh = Files.writeString(directory.resolve("fresh"), "z");
    Files.setLastModifiedTime(fresh, Files.getLastModifiedTime(one));
    Files.move(fresh, one, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
  }

  @Test
  void readsOnceMoreIfThereAreOtherFilesThanWereLookedAt() throws IOException {
    Path third = write("third", "c");
    changes.took(ImmutableSet.of(one, other, third));
    assertThat(changes.look()).isFalse();
    assertThat(changes.look()).isTrue();
    changes.took(ImmutableSet.of(one, other, third));
    assertThat(changes.look()).isFalse();
  }
}
