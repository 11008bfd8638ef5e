package io.testudo.quorum.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.KeyFileException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyringsTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);

  @TempDir Path directory;

  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());

  @Test
  void givesServerAndClientTheSameSharedKey() {
    ClientKeyring alice = alice();
    for (int index = 0; index < alice.servers(); index++) {
      ServerId server = new ServerId(index);
      assertThat(alice.keyFor(server))
          .isEqualTo(secrets.serverKeyring("demo", server).keyOf("alice", KeyEpochs.FIRST));
    }
  }

  @Test
  void givesEachServerAndEachPrincipalKeysOfTheirOwn() {
    ClientKeyring alice = alice();
    assertThat(alice.keyFor(S0)).isNotEqualTo(alice.keyFor(S1));
    assertThat(alice.keyFor(S0)).isNotEqualTo(bob().keyFor(S0));
  }

  @Test
  void givesAGroupKeyToAllWhoMayWriteThePrefixAndToNobodyElse() {
    for (KeyPurpose purpose : KeyPurpose.values()) {
      assertThat(alice().groupKeys(purpose)).containsOnlyKeys("a/", "shared/");
      assertThat(bob().groupKeys(purpose)).containsOnlyKeys("shared/");
      assertThat(bob().groupKeys(purpose).get("shared/"))
          .isEqualTo(alice().groupKeys(purpose).get("shared/"));
      assertThat(alice().groupKeys(purpose).get("a/"))
          .isNotEqualTo(alice().groupKeys(purpose).get("shared/"));
    }
  }

  @Test
  void derivesAKeyForEachPurposeAndEpoch() {
    KeyEpochs next = KeyEpochs.FIRST.raised(Set.of(KeyPurpose.ORDER));
    Rights rights =
        Rights.of(
            List.of(
                Grant.of("alice", EnumSet.allOf(Right.class), ""),
                Grant.of("bob", EnumSet.of(Right.SUBMIT), "")),
            List.of());
    ClusterDescription before =
        new ClusterDescription(
            "demo", SecurityMode.HMAC, 0, ImmutableList.of(new Endpoint("localhost", 1)), rights);
    ClientKeyring alice = secrets.clientKeyring(before, "alice");
    ClientKeyring bob = secrets.clientKeyring(before, "bob");
    ClientKeyring later = secrets.clientKeyring(before.with(rights, next), "alice");
    assertThat(Stream.of(KeyPurpose.values()).map(purpose -> alice.groupKeys(purpose).get("")))
        .doesNotHaveDuplicates();
    assertThat(bob.groupKeys(KeyPurpose.SUBMIT)).isEqualTo(alice.groupKeys(KeyPurpose.SUBMIT));
    assertThat(bob.groupKeys(KeyPurpose.ORDER)).isEmpty();
    assertThat(bob.groupKeys(KeyPurpose.LOCK)).isEmpty();
    assertThat(later.groupKeys(KeyPurpose.SUBMIT)).isEqualTo(alice.groupKeys(KeyPurpose.SUBMIT));
    assertThat(later.groupKeys(KeyPurpose.ORDER)).isNotEqualTo(alice.groupKeys(KeyPurpose.ORDER));
    assertThat(later.epochs()).hasToString("submit 1 order 2 lock 1");
  }

  @Test
  void derivesGroupKeysFromTheRightsOfTheCluster() {
    ClusterDescription demo =
        new ClusterDescription(
            "demo",
            SecurityMode.HMAC,
            0,
            ImmutableList.of(new Endpoint("localhost", 1)),
            Rights.of(
                List.of(
                    Grant.of("alice", EnumSet.of(Right.SUBMIT), "a/"),
                    Grant.of("alice", EnumSet.of(Right.READ), "b/")),
                List.of()));
    assertThat(secrets.clientKeyring(demo, "alice").groupKeys(KeyPurpose.SUBMIT))
        .containsOnlyKeys("a/");
    assertThatThrownBy(() -> secrets.clientKeyring(demo, "mallory"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cluster demo knows no principal mallory; add it to the cluster file first.");
  }

  @Test
  void goThroughFilesOfTheirOwners() throws Exception {
    secrets.write(directory.resolve("master"));
    alice().write(directory.resolve("alice"));
    secrets.serverKeyring("demo", S1).write(directory.resolve("s1"));

    ClusterSecrets read = ClusterSecrets.read(directory.resolve("master"));
    ServerKeyring s1 = ServerKeyring.read(directory.resolve("s1"));
    ClientKeyring alice = ClientKeyring.read(directory.resolve("alice"));

    assertThat(s1).hasToString("ServerKeyring(demo, s1)");
    assertThat(alice)
        .hasToString(
            "ClientKeyring(demo, alice, 4 servers, submit 1 order 1 lock 1,"
                + " groups {SUBMIT=[a/, shared/], ORDER=[a/, shared/], LOCK=[a/, shared/]})");
    assertThat(s1.keyOf("alice", KeyEpochs.FIRST)).isEqualTo(alice.keyFor(S1));
    assertThat(read.serverKeyring("demo", S1).keyOf("alice", KeyEpochs.FIRST))
        .isEqualTo(alice.keyFor(S1));
    for (KeyPurpose purpose : KeyPurpose.values()) {
      assertThat(alice.groupKeys(purpose)).isEqualTo(alice().groupKeys(purpose));
    }
    assertThat(alice.epochs()).isEqualTo(KeyEpochs.FIRST);
  }

  @Test
  void keepsTheGroupOfEverything() throws Exception {
    secrets.clientKeyring("demo", "root", 1, List.of("")).write(directory.resolve("root"));
    assertThat(ClientKeyring.read(directory.resolve("root")).groupKeys(KeyPurpose.LOCK))
        .containsOnlyKeys("");
  }

  @Test
  void writesForTheOwnerOnlyAndNeverOver() throws Exception {
    Path file = directory.resolve("alice");
    alice().write(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> alice().write(file)).isInstanceOf(KeyFileException.class);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> ClientKeyring.read(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  void refusesTheFileOfAnotherRole() throws Exception {
    alice().write(directory.resolve("alice"));
    assertThatThrownBy(() -> ServerKeyring.read(directory.resolve("alice")))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("does not hold server-keys; name the right file");
  }

  @Test
  void refusesAServerForWhichThereIsNoKey() {
    assertThatThrownBy(() -> alice().keyFor(new ServerId(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("for 4 servers, not for s4");
  }

  private ClientKeyring alice() {
    return secrets.clientKeyring("demo", "alice", 4, List.of("shared/", "a/"));
  }

  private ClientKeyring bob() {
    return secrets.clientKeyring("demo", "bob", 4, List.of("shared/"));
  }
}
