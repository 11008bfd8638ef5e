package io.testudo.quorum.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.KeyFileException;
import io.testudo.crypto.VerifyingKey;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterFileTest {
  private static final String TEXT =
      """
      testudo-cluster 1
      name demo
      security hmac
      byzantine 1
      server s0 127.0.0.1 7000
      server s1 ::1 7000
      server s2 host-2.example 7000
      server s3 127.0.0.1 7003
      grant alice lock,read prefix locks/
      grant alice submit prefix counters of alice
      principal carol
      grant root administer everything
      """;

  @TempDir Path directory;

  private final ClusterDescription demo =
      new ClusterDescription(
          "demo",
          SecurityMode.HMAC,
          1,
          ImmutableList.of(
              new Endpoint("127.0.0.1", 7000),
              new Endpoint("::1", 7000),
              new Endpoint("host-2.example", 7000),
              new Endpoint("127.0.0.1", 7003)),
          Rights.of(
              List.of(
                  Grant.of("alice", EnumSet.of(Right.LOCK, Right.READ), "locks/"),
                  Grant.of("alice", EnumSet.of(Right.SUBMIT), "counters of alice"),
                  Grant.of("root", EnumSet.of(Right.ADMINISTER), "")),
              List.of("carol")));

  @Test
  void readsTheFormatOfTheDocumentation() throws Exception {
    assertThat(ClusterFile.parse(TEXT, "demo.cluster")).isEqualTo(demo);
    assertThat(demo.endpoint(new ServerId(1))).hasToString("[::1]:7000");
  }

  @Test
  void writesWhatItReads() {
    assertThat(ClusterFile.format(demo)).isEqualTo(TEXT);
  }

  @Test
  void skipsCommentsAndEmptyLines() throws Exception {
    String commented = TEXT.replace("byzantine", "# who may lie\n\nbyzantine");
    assertThat(ClusterFile.parse(commented, "demo.cluster")).isEqualTo(demo);
  }

  @Test
  void goesThroughAFile() throws Exception {
    Path file = directory.resolve("demo.cluster");
    ClusterFile.write(file, demo);
    assertThat(ClusterFile.read(file)).isEqualTo(demo);
    assertThatThrownBy(() -> ClusterFile.write(file, demo)).isInstanceOf(KeyFileException.class);
  }

  @Test
  void refusesAFileThatOthersCanChange() throws Exception {
    Path file = directory.resolve("demo.cluster");
    ClusterFile.write(file, demo);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThatThrownBy(() -> ClusterFile.read(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("chmod go-w");
  }

  @Test
  void refusesBytesThatAreNoText() throws Exception {
    Path file = directory.resolve("demo.cluster");
    byte[] bytes = TEXT.getBytes(StandardCharsets.UTF_8);
    bytes[bytes.length - 2] = (byte) 0xff;
    Files.write(file, bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> ClusterFile.read(file))
        .isInstanceOf(ClusterFileException.class)
        .hasMessageContaining("is no text in UTF-8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "testudo-cluster 1|testudo-cluster 2|line 1: the first line must be 'testudo-cluster 1'",
        "name demo|name de/mo|line 2: A cluster's name has 1 to 64",
        "name demo|nom demo|line 2: a line starts with name, security",
        "name demo|NAME demo|line 2: a line starts with name, security",
        "security hmac|security none|line 3: security is hmac, tls or open",
        "security hmac|name demo|line 3: name was stated before",
        "byzantine 1|byzantine 01|line 4: byzantine is how many",
        "byzantine 1|byzantine -1|line 4: byzantine is how many",
        "server s1 ::1 7000|server s2 ::1 7000|line 6: the next server must be s1",
        "server s1 ::1 7000|server s1 ::1|line 6: write a server as 'server s0 HOST PORT'",
        "server s1 ::1 7000|server s1  ::1 7000|line 6: write a server as 'server s0 HOST PORT'",
        "server s1 ::1 7000|server s1 ::1 0|line 6: A server's port is 1 to 65535",
        "server s1 ::1 7000|server s1 [::1] 7000|line 6: A server's host is a name",
        "lock,read|lock,write|line 9: rights are lock, read, submit",
        "lock,read|lock,lock|line 9: the right lock is named twice",
        "prefix locks/|locks/|line 9: write a grant as",
        "prefix locks/|prefix |line 9: write a grant as",
        "principal carol|principal two words|line 11: a principal consists of printable",
        "principal carol|principal carol\\nprincipal carol|line 12: the principal was named before",
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void tellsTheLineAndWhatToDo(String right, String wrong, String complaint) {
    String text = TEXT.replace(right, wrong.replace("\\n", "\n"));
    assertThatThrownBy(() -> ClusterFile.parse(text, "demo.cluster"))
        .isInstanceOf(ClusterFileException.class)
        .hasMessageContaining("demo.cluster, " + complaint);
  }

  @Test
  void refusesMoreLiarsThanTheServersCanBear() {
    assertThatThrownBy(() -> ClusterFile.parse(TEXT.replace("ne 1", "ne 2"), "demo.cluster"))
        .isInstanceOf(ClusterFileException.class)
        .hasMessage("demo.cluster: b=2 in mode ping needs 7 servers, 4 are configured");
  }

  @Test
  void refusesTwoServersAtOneAddress() {
    assertThatThrownBy(() -> ClusterFile.parse(TEXT.replace("7003", "7000"), "demo.cluster"))
        .isInstanceOf(ClusterFileException.class)
        .hasMessageContaining("Two servers listen at 127.0.0.1:7000");
  }

  /** Of the examples in RFC 8032. */
  private static final String ALICES_KEY =
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

  private static final String ROOTS_KEY =
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

  @Test
  void keepsTheSigningKeysOfPrincipals() throws Exception {
    ClusterDescription signed =
        demo.with("alice", VerifyingKey.fromBytes(HexFormat.of().parseHex(ALICES_KEY)))
            .with("root", VerifyingKey.fromBytes(HexFormat.of().parseHex(ROOTS_KEY)));
    String text =
        TEXT + "signing-key alice " + ALICES_KEY + "\nsigning-key root " + ROOTS_KEY + "\n";
    assertThat(ClusterFile.format(signed)).isEqualTo(text);
    assertThat(ClusterFile.parse(text, "demo.cluster")).isEqualTo(signed);
    Rights withoutAlice =
        Rights.of(List.of(Grant.of("root", EnumSet.of(Right.ADMINISTER), "")), List.of());
    assertThat(signed.with(withoutAlice, signed.epochs()).signingKeys()).containsOnlyKeys("root");
  }

  @Test
  void refusesSigningKeysThatProveNothing() {
    assertRefusesKeys("signing-key bob " + ALICES_KEY, "of bob, which is no principal");
    assertRefusesKeys(
        "signing-key alice " + "0".repeat(64), "line 13: The bytes given are no safe");
    assertRefusesKeys("signing-key alice " + ALICES_KEY.substring(2), "line 13: An Ed25519 public");
    assertRefusesKeys("signing-key alice xyz", "line 13: write a signing key as 'signing-key NAME");
    assertRefusesKeys("signing-key alice", "line 13: write a signing key as 'signing-key NAME");
    assertRefusesKeys(
        "signing-key alice %s\nsigning-key alice %s".formatted(ALICES_KEY, ROOTS_KEY),
        "line 14: the principal has a signing key already");
    // Each of them could speak for the other.
    assertRefusesKeys(
        "signing-key alice %s\nsigning-key root %s".formatted(ALICES_KEY, ALICES_KEY),
        "alice and root have the same signing key");
  }

  private static void assertRefusesKeys(String lines, String complaint) {
    assertThatThrownBy(() -> ClusterFile.parse(TEXT + lines + "\n", "demo.cluster"))
        .isInstanceOf(ClusterFileException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void refusesAFileWithoutANecessaryStatement() {
    for (String needed : new String[] {"name demo\n", "security hmac\n", "byzantine 1\n"}) {
      assertThatThrownBy(() -> ClusterFile.parse(TEXT.replace(needed, ""), "demo.cluster"))
          .isInstanceOf(ClusterFileException.class)
          .hasMessageContaining("a statement is missing");
    }
  }

  @Test
  void refusesALineWithoutEnd() {
    String text = TEXT + "#".repeat(ClusterFile.MAX_LINE_LENGTH + 1);
    assertThatThrownBy(() -> ClusterFile.parse(text, "demo.cluster"))
        .isInstanceOf(ClusterFileException.class)
        .hasMessageContaining("line 13: the line is longer than 1024 characters");
  }
}
