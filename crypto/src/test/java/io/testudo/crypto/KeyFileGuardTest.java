package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Key files on file systems in memory, where owners and permissions are free to choose. */
class KeyFileGuardTest {
  private String self = "";
  private FileSystem fileSystem = Jimfs.newFileSystem(Configuration.unix());

  @BeforeEach
  void useOwnFileSystem() throws IOException {
    self = KeyFileGuard.processUser();
    useFileSystem(posixConfiguration(self));
  }

  @AfterEach
  void closeFileSystem() throws IOException {
    fileSystem.close();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"GROUP_.*", "OTHERS_.*"},
      mode = EnumSource.Mode.MATCH_ANY)
  void refusesASecretWithAnyPermissionForOthers(PosixFilePermission permission) throws Exception {
    Path file = writtenSecret();
    allow(file, permission);
    assertThatThrownBy(() -> KeyFile.readSecret(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(
            "/work/group.key holds a secret but is open to others than its owner;"
                + " run: chmod 600 /work/group.key");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"GROUP_.*", "OTHERS_.*"},
      mode = EnumSource.Mode.MATCH_ANY)
  void refusesASigningKeyWithAnyPermissionForOthers(PosixFilePermission permission)
      throws Exception {
    Path file = path("client.key");
    KeyFile.write(file, Keys.signingKey(1));
    allow(file, permission);
    assertThatThrownBy(() -> KeyFile.readSigningKey(file)).isInstanceOf(KeyFileException.class);
  }

  @Test
  void readsASecretWithFewerPermissions() throws Exception {
    Path file = writtenSecret();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(KeyFile.readSecret(file)).isEqualTo(Keys.secret(1));
  }

  @Test
  void refusesAVerifyingKeyThatOthersMayChange() throws Exception {
    Path file = path("client.pub");
    KeyFile.write(file, Keys.signingKey(1).verifyingKey());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThat(KeyFile.readVerifyingKey(file)).isEqualTo(Keys.signingKey(1).verifyingKey());
    for (String permissions : new String[] {"rw--w----", "rw-----w-"}) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      assertThatThrownBy(() -> KeyFile.readVerifyingKey(file))
          .isInstanceOf(KeyFileException.class)
          .hasMessage(
              "/work/client.pub can be written by others, who could replace it;"
                  + " run: chmod go-w /work/client.pub");
    }
  }

  @Test
  void writesVerifyingKeysForAllToRead() throws Exception {
    Path file = path("client.pub");
    KeyFile.write(file, Keys.signingKey(1).verifyingKey());
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
  }

  @Test
  void refusesTheSecretOfAnotherUserButNotTheirVerifyingKey() throws Exception {
    Path secret = writtenSecret();
    Path verifying = path("client.pub");
    KeyFile.write(verifying, Keys.signingKey(1).verifyingKey());
    for (Path file : new Path[] {secret, verifying}) {
      Files.setOwner(
          file, fileSystem.getUserPrincipalLookupService().lookupPrincipalByName("mallory"));
    }
    assertThatThrownBy(() -> KeyFile.readSecret(secret))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(
            "/work/group.key belongs to mallory, but this process runs as %s;".formatted(self)
                + " run: chown %s /work/group.key".formatted(self));
    assertThat(KeyFile.readVerifyingKey(verifying)).isEqualTo(Keys.signingKey(1).verifyingKey());
  }

  @Test
  void takesForItsOwnWhatBelongsToTheUserOrToRootOnly() throws Exception {
    Path file = path("client.pub");
    KeyFile.write(file, Keys.signingKey(1).verifyingKey());
    ProtectedFile.requireOwn(file);
    give(file, "root");
    ProtectedFile.requireOwn(file);
    give(file, "mallory");
    assertThatThrownBy(() -> ProtectedFile.requireOwn(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(
            "/work/client.pub belongs to mallory, but this process runs as %s.".formatted(self));
    give(file, self);
    give(fileSystem.getPath("/work"), "mallory");
    assertThatThrownBy(() -> ProtectedFile.requireOwn(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage("/work belongs to mallory, but this process runs as %s.".formatted(self));
  }

  private void give(Path path, String owner) throws IOException {
    Files.setOwner(path, fileSystem.getUserPrincipalLookupService().lookupPrincipalByName(owner));
  }

  @ParameterizedTest
  @EnumSource(names = {"GROUP_WRITE", "OTHERS_WRITE"})
  void refusesADirectoryThatOthersMayChange(PosixFilePermission permission) throws Exception {
    Path file = writtenSecret();
    Path verifying = path("client.pub");
    KeyFile.write(verifying, Keys.signingKey(1).verifyingKey());
    allow(fileSystem.getPath("/work"), permission);
    String message =
        "/work can be written by others, who could replace files in it; run: chmod go-w /work";
    assertThatThrownBy(() -> KeyFile.readSecret(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> KeyFile.readVerifyingKey(verifying))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> KeyFile.write(path("new.key"), Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message);
    assertThat(path("new.key")).doesNotExist();
  }

  @Test
  void followsALinkAndChecksItsTarget() throws Exception {
    Path file = writtenSecret();
    Path other = Files.createDirectory(fileSystem.getPath("/other"));
    Path link = Files.createSymbolicLink(other.resolve("current.key"), file);
    assertThat(KeyFile.readSecret(link)).isEqualTo(Keys.secret(1));
    allow(file, PosixFilePermission.GROUP_READ);
    assertThatThrownBy(() -> KeyFile.readSecret(link))
        .isInstanceOf(KeyFileException.class)
        .hasMessageEndingWith("run: chmod 600 /work/group.key");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    allow(fileSystem.getPath("/work"), PosixFilePermission.GROUP_WRITE);
    assertThatThrownBy(() -> KeyFile.readSecret(link))
        .isInstanceOf(KeyFileException.class)
        .hasMessageEndingWith("run: chmod go-w /work");
  }

  @Test
  void keepsNoSecretWherePermissionsAreUnknown() throws Exception {
    useFileSystem(Configuration.unix().toBuilder().setAttributeViews("basic").build());
    String message =
        "%s is on a file system that can't tell who may read a file;"
            + " keep secrets on one with POSIX permissions.";
    assertThatThrownBy(() -> KeyFile.write(path("group.key"), Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message.formatted("/work"));
    assertThat(path("group.key")).doesNotExist();
    Files.write(path("group.key"), new byte[] {1});
    assertThatThrownBy(() -> KeyFile.readSecret(path("group.key")))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message.formatted("/work"));
    assertThatThrownBy(
            () ->
                KeyFileGuard.requireSafeFile(
                    path("group.key"), KeyFileKind.SIGNING_KEY.confidential()))
        .isInstanceOf(KeyFileException.class)
        .hasMessage(message.formatted("/work/group.key"));
  }

  @Test
  void keepsVerifyingKeysAnywhere() throws Exception {
    useFileSystem(Configuration.unix().toBuilder().setAttributeViews("basic").build());
    KeyFile.write(path("client.pub"), Keys.signingKey(1).verifyingKey());
    assertThat(KeyFile.readVerifyingKey(path("client.pub")))
        .isEqualTo(Keys.signingKey(1).verifyingKey());
  }

  /** As on a network share that gives every file to somebody else. */
  @Test
  void takesBackAFileThatIsNotItsOwn() throws Exception {
    useFileSystem(posixConfiguration("nobody-at-all"));
    assertThatThrownBy(() -> KeyFile.write(path("group.key"), Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("belongs to nobody-at-all");
    assertThat(path("group.key")).doesNotExist();
  }

  @Test
  void leavesNothingBehindOnAFullDisk() throws Exception {
    useFileSystem(posixConfiguration(self).toBuilder().setBlockSize(64).setMaxSize(64).build());
    assertThatThrownBy(() -> KeyFile.write(path("group.key"), Keys.secret(1)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageStartingWith("/work/group.key could not be written (");
    assertThat(path("group.key")).doesNotExist();
  }

  private Path writtenSecret() throws KeyFileException {
    Path file = path("group.key");
    KeyFile.write(file, Keys.secret(1));
    return file;
  }

  private Path path(String name) {
    return fileSystem.getPath("/work", name);
  }

  private void useFileSystem(Configuration configuration) throws IOException {
    fileSystem.close();
    fileSystem = Jimfs.newFileSystem(configuration);
  }

  private static void allow(Path path, PosixFilePermission permission) throws IOException {
    Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(path));
    permissions.add(permission);
    Files.setPosixFilePermissions(path, permissions);
  }

  private static Configuration posixConfiguration(String owner) {
    return Configuration.unix().toBuilder()
        .setAttributeViews("basic", "owner", "posix")
        .setDefaultAttributeValue("owner:owner", owner)
        .build();
  }
}
