package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.crypto.CertifiedName.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir Path directory;

  private final SecureRandom random = new SecureRandom();
  private final CertificateAuthority authority = CertificateAuthority.create("demo", random, NOW);

  @Test
  void certifiesServersByClusterIndexAndHost() throws Exception {
    TlsIdentity server = authority.issueServer(3, List.of("127.0.0.1", "::1", "localhost"), NOW);
    server.certificate().verify(authority.certificate().getPublicKey());
    server.certificate().checkValidity(Date.from(NOW));
    assertThat(CertifiedName.of(server.certificate()))
        .isEqualTo(new CertifiedName("demo", Role.SERVER, "s3"));
    CertifiedName.requireServer(server.certificate(), "demo", 3);
    assertThat(server.certificate().getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(
            List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1"), List.of(2, "localhost"));
  }

  @Test
  void certifiesPrincipalsWithAnyCharacterTheyMayHave() throws Exception {
    for (String principal : new String[] {"alice", "#61", "a,b=c+d\\\"<>;", "p".repeat(128)}) {
      TlsIdentity client = authority.issueClient(principal, NOW);
      client.certificate().verify(authority.certificate().getPublicKey());
      assertThat(CertifiedName.requireClient(client.certificate(), "demo")).isEqualTo(principal);
    }
  }

  @Test
  void certifiesMembersOfARingForBothEndsOfAConnection() throws Exception {
    TlsIdentity member = authority.issueMember("m1", NOW);
    member.certificate().verify(authority.certificate().getPublicKey());
    assertThat(CertifiedName.requireMember(member.certificate(), "demo")).isEqualTo("m1");
    assertThat(CertifiedName.requireMemberOrClient(member.certificate(), "demo")).isEqualTo("m1");
    assertThat(member.certificate().getExtendedKeyUsage()).hasSize(2);
    assertThatThrownBy(() -> CertifiedName.requireMember(member.certificate(), "other"))
        .isInstanceOf(CertificateException.class);
    TlsIdentity client = authority.issueClient("alice", NOW);
    assertThat(CertifiedName.requireMemberOrClient(client.certificate(), "demo"))
        .isEqualTo("alice");
  }

  @Test
  void keepsMembersOfARingApartFromAllOthers() {
    TlsIdentity member = authority.issueMember("s0", NOW);
    TlsIdentity client = authority.issueClient("m1", NOW);
    TlsIdentity server = authority.issueServer(0, List.of("localhost"), NOW);
    assertThatThrownBy(() -> CertifiedName.requireMember(client.certificate(), "demo"))
        .isInstanceOf(CertificateException.class)
        .hasMessage("A member shows the certificate of a client; give it its own.");
    assertThatThrownBy(() -> CertifiedName.requireMember(server.certificate(), "demo"))
        .isInstanceOf(CertificateException.class);
    assertThatThrownBy(() -> CertifiedName.requireMemberOrClient(server.certificate(), "demo"))
        .isInstanceOf(CertificateException.class);
    assertThatThrownBy(() -> CertifiedName.requireServer(member.certificate(), "demo", 0))
        .isInstanceOf(CertificateException.class);
    assertThatThrownBy(() -> CertifiedName.requireClient(member.certificate(), "demo"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void refusesAServerInTheRoleOfAClient() {
    TlsIdentity server = authority.issueServer(0, List.of("localhost"), NOW);
    assertThatThrownBy(() -> CertifiedName.requireClient(server.certificate(), "demo"))
        .isInstanceOf(CertificateException.class)
        .hasMessage("A client shows the certificate of a server; give it its own.");
  }

  @Test
  void refusesAClientInTheRoleOfAServerEvenWithAServersName() {
    TlsIdentity client = authority.issueClient("s0", NOW);
    assertThatThrownBy(() -> CertifiedName.requireServer(client.certificate(), "demo", 0))
        .isInstanceOf(CertificateException.class)
        .hasMessage("A server shows the certificate of a client; give it its own.");
  }

  @Test
  void refusesAnotherServerAndAnotherCluster() {
    TlsIdentity server = authority.issueServer(1, List.of("localhost"), NOW);
    assertThatThrownBy(() -> CertifiedName.requireServer(server.certificate(), "demo", 0))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("Server s0 was dialled, the certificate names s1");
    assertThatThrownBy(() -> CertifiedName.requireServer(server.certificate(), "other", 1))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("The certificate is of cluster demo, this is other");
  }

  @Test
  void refusesTheAuthorityItselfAsAMember() {
    assertThatThrownBy(() -> CertifiedName.requireClient(authority.certificate(), "demo"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void isNotTheAuthorityOfAnotherClusterOfTheSameName() {
    CertificateAuthority other = CertificateAuthority.create("demo", random, NOW);
    TlsIdentity client = other.issueClient("alice", NOW);
    assertThatThrownBy(() -> client.certificate().verify(authority.certificate().getPublicKey()))
        .isInstanceOf(SignatureException.class);
  }

  @Test
  void goesThroughFiles() throws Exception {
    Path certificate = directory.resolve("ca.pem");
    Path key = directory.resolve("ca.key");
    authority.write(certificate, key);
    CertificateAuthority read = CertificateAuthority.read(certificate, key, random);
    assertThat(read.cluster()).isEqualTo("demo");
    read.issueClient("alice", NOW).certificate().verify(authority.certificate().getPublicKey());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void refusesAKeyThatOthersMayReadOrThatIsAnotherOnes() throws Exception {
    Path certificate = directory.resolve("alice.pem");
    Path key = directory.resolve("alice.key");
    Path othersKey = directory.resolve("bob.key");
    authority.issueClient("alice", NOW).write(certificate, key);
    authority.issueClient("bob", NOW).write(directory.resolve("bob.pem"), othersKey);
    assertThatThrownBy(() -> TlsIdentity.read(certificate, othersKey))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("is not the key of");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> TlsIdentity.read(certificate, key))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  void refusesAMemberInThePlaceOfTheAuthority() throws Exception {
    Path certificate = directory.resolve("alice.pem");
    Path key = directory.resolve("alice.key");
    authority.issueClient("alice", NOW).write(certificate, key);
    assertThatThrownBy(() -> CertificateAuthority.read(certificate, key, random))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("certifies a member, not the authority");
  }

  @Test
  void refusesPemThatItWouldNotWrite() throws Exception {
    Path file = directory.resolve("alice.pem");
    TlsIdentity.writeCertificate(file, authority.certificate());
    Files.writeString(file, Files.readString(file) + "more\n");
    assertThatThrownBy(() -> TlsIdentity.readCertificate(file))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("is no PEM file of one CERTIFICATE");
  }

  @Test
  void showsNoKey() {
    assertThat(authority.issueClient("alice", NOW))
        .hasToString("TlsIdentity(CN=alice, OU=client, O=demo)");
  }
}
