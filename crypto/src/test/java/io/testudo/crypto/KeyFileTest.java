package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Key files on the real file system. */
class KeyFileTest {
  @TempDir Path directory;

  @BeforeEach
  void needPosixPermissions() {
    assumeTrue(KeyFileGuard.hasPermissions(directory));
  }

  @Test
  void readsWhatItWrote() throws Exception {
    SecretBytes secret = SecretBytes.copyOf(Keys.countingUp(1, 64));
    KeyFile.write(directory.resolve("group.key"), secret);
    assertThat(KeyFile.readSecret(directory.resolve("group.key"))).isEqualTo(secret);

    SigningKey signingKey = Keys.signingKey(1);
    KeyFile.write(directory.resolve("client.key"), signingKey);
    SigningKey read = KeyFile.readSigningKey(directory.resolve("client.key"));
    assertThat(read.sign("p", new byte[1])).isEqualTo(signingKey.sign("p", new byte[1]));

    KeyFile.write(directory.resolve("client.pub"), signingKey.verifyingKey());
    assertThat(KeyFile.readVerifyingKey(directory.resolve("client.pub")))
        .isEqualTo(signingKey.verifyingKey());
  }

  @Test
  void writesSecretsForTheOwnerOnly() throws Exception {
    Path secret = directory.resolve("group.key");
    Path signing = directory.resolve("client.key");
    KeyFile.write(secret, Keys.secret(1));
    KeyFile.write(signing, Keys.signingKey(1));
    for (Path file : new Path[] {secret, signing}) {
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void neverOverwrites() throws Exception {
    Path file = directory.resolve("group.key");
    KeyFile.write(file, Keys.secret(1));
    assertThatThrownBy(() -> KeyFile.write(file, Keys.secret(2)))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(file + " exists and is never overwritten; move it away or name another file.");
    assertThat(KeyFile.readSecret(file)).isEqualTo(Keys.secret(1));
  }

  @Test
  void doesNotWriteThroughADanglingLink() throws Exception {
    Path link = directory.resolve("link.key");
    Path target = directory.resolve("target.key");
    Files.createSymbolicLink(link, target);
    assertThatThrownBy(() -> KeyFile.write(link, Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("exists");
    assertThat(target).doesNotExist();
  }

  @Test
  void refusesASecretOpenToOthers() throws Exception {
    Path file = directory.resolve("group.key").toAbsolutePath();
    KeyFile.write(file, Keys.secret(1));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Path real = file.toRealPath();
    assertThatThrownBy(() -> KeyFile.readSecret(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(
            "%s holds a secret but is open to others than its owner; run: chmod 600 %s"
                .formatted(real, real));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(KeyFile.readSecret(file)).isEqualTo(Keys.secret(1));
  }

  @Test
  void refusesOversizeFiles() throws Exception {
    Path file = directory.resolve("group.key");
    KeyFile.write(file, Keys.secret(1));
    byte[] text = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(text, KeyFile.MAX_BYTES));
    assertThatThrownBy(() -> KeyFile.readSecret(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("is damaged");
    Files.write(file, Arrays.copyOf(text, KeyFile.MAX_BYTES + 1));
    assertThatThrownBy(() -> KeyFile.readSecret(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(file + " is longer than the 1024 bytes it may have; name the right file.");
  }

  @Test
  void refusesAnotherKind() throws Exception {
    Path file = directory.resolve("group.key");
    KeyFile.write(file, Keys.secret(1));
    assertThatThrownBy(() -> KeyFile.readSigningKey(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("holds a secret, but a signing-key is needed here");
  }

  @Test
  void saysThatAFileIsMissingOrNoFile() {
    Path missing = directory.resolve("missing.key");
    assertThatThrownBy(() -> KeyFile.readSecret(missing))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(missing + " does not exist; name the right file or create it.");
    assertThatThrownBy(() -> KeyFile.readSecret(directory))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(directory + " is no regular file; name the file itself.");
  }

  @Test
  void saysThatADirectoryIsMissing() {
    Path file = directory.resolve("none").resolve("group.key");
    assertThatThrownBy(() -> KeyFile.write(file, Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageMatching("The directory .*none does not exist; create it first\\.");
    assertThatThrownBy(() -> KeyFile.write(directory.getRoot(), Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("is a directory; name a file in it.");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void readsAsAUserWithoutAName() throws Exception {
    Path file = directory.resolve("group.key");
    KeyFile.write(file, Keys.secret(1));
    asUser("?", () -> assertThat(KeyFile.readSecret(file)).isEqualTo(Keys.secret(1)));
  }

  @Test
  void refusesTheSecretOfAnotherUser() throws Exception {
    Path file = directory.resolve("group.key");
    KeyFile.write(file, Keys.secret(1));
    asUser(
        "no-such-user",
        () ->
            assertThatThrownBy(() -> KeyFile.readSecret(file))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("but this process runs as no-such-user; run: chown"));
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void asUser(String name, Action action) throws Exception {
    String before = System.getProperty("user.name");
    System.setProperty("user.name", name);
    try {
      action.run();
    } finally {
      System.setProperty("user.name", before);
    }
  }
}
