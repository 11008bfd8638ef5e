package io.testudo.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedAuthoritiesTest {
  private final Instant now = Instant.now();
  private final CertificateAuthority first = authority();
  private final CertificateAuthority second = authority();

  @TempDir Path directory;

  private CertificateAuthority authority() {
    return CertificateAuthority.create("town", new SecureRandom(), now);
  }

  private String pem(CertificateAuthority authority) throws IOException {
    Path file = Files.createTempDirectory(directory, "one").resolve("authority.pem");
    TlsIdentity.writeCertificate(file, authority.certificate());
    return Files.readString(file);
  }

  private Path fileOf(String text) throws IOException {
    Path file = Files.createTempFile(directory, "all", ".pem");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return Files.writeString(file, text);
  }

  @Test
  void readsOneAuthorityOrSeveral() throws Exception {
    assertThat(TrustedAuthorities.read(fileOf(pem(first)))).containsExactly(first.certificate());
    assertThat(TrustedAuthorities.read(fileOf(pem(first) + pem(second))))
        .containsExactly(first.certificate(), second.certificate());
  }

  @Test
  void refusesAFileThatIsCutOrHoldsMore() throws Exception {
    String both = pem(first) + pem(second);
    for (String text :
        new String[] {
          "", both.substring(0, both.length() - 30), both + "x", "x" + both, pem(first) + "\n"
        }) {
      assertThatThrownBy(() -> TrustedAuthorities.read(fileOf(text)))
          .isInstanceOf(KeyFileException.class)
          .hasMessageContaining("is no PEM file");
    }
    String nine = pem(first).repeat(TrustedAuthorities.MAX_AUTHORITIES + 1);
    assertThatThrownBy(() -> TrustedAuthorities.read(fileOf(nine)))
        .isInstanceOf(KeyFileException.class)
        .hasMessageContaining("more than 8");
  }

  @Test
  void knowsWhatTheyIssued() throws Exception {
    TrustedAuthorities both =
        TrustedAuthorities.of(java.util.List.of(first.certificate(), second.certificate()));
    assertThat(both.haveIssued(second.issueClient("alice", now).certificate())).isTrue();
    assertThat(both.haveIssued(authority().issueClient("alice", now).certificate())).isFalse();
  }
}
