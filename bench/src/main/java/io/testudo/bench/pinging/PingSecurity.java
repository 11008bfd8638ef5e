package io.testudo.bench.pinging;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.crypto.CertificateAuthority;
import io.testudo.crypto.TlsIdentity;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.KeyEpochs;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ServerCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How the members of a measured cluster get their keys: new ones for each run, in files. */
enum PingSecurity {
  HMAC {
    @Override
    ClientCredentials issue(int servers, Path directory) throws IOException {
      return ClientCredentials.hmac(BenchKeys.issue(servers, directory));
    }

    @Override
    ServerCredentials read(Path directory, ServerId server) throws IOException {
      return ServerCredentials.hmac(BenchKeys.read(directory, server));
    }
  },

  TLS {
    @Override
    ClientCredentials issue(int servers, Path directory) throws IOException {
      Instant now = Instant.now();
      CertificateAuthority authority =
          CertificateAuthority.create(BenchKeys.CLUSTER, new SecureRandom(), now);
      TlsIdentity.writeCertificate(authorityFile(directory), authority.certificate());
      for (ServerId server : ServerSet.firstN(servers)) {
        authority
            .issueServer(server.index(), List.of("localhost"), now)
            .write(certificateFile(directory, server), BenchKeys.file(directory, server));
      }
      try {
        return ClientCredentials.tls(
            authority.issueClient(BenchKeys.PRINCIPAL, now),
            authority.certificate(),
            KeyEpochs.FIRST);
      } catch (CertificateException e) {
        throw new IOException("the certificates do not fit", e);
      }
    }

    @Override
    ServerCredentials read(Path directory, ServerId server) throws IOException {
      try {
        return ServerCredentials.tls(
            TlsIdentity.read(certificateFile(directory, server), BenchKeys.file(directory, server)),
            TlsIdentity.readCertificate(authorityFile(directory)),
            server);
      } catch (CertificateException e) {
        throw new IOException("the certificate of " + server + " does not fit", e);
      }
    }
  };

  /** Writes a file for each server, which the child reads, and keeps the client's in memory. */
  abstract ClientCredentials issue(int servers, Path directory) throws IOException;

  /** What a server finds in its file. */
  abstract ServerCredentials read(Path directory, ServerId server) throws IOException;

  /** As in {@code --mode}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PingSecurity of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static Path certificateFile(Path directory, ServerId server) {
    return directory.resolve(server + ".crt");
  }

  private static Path authorityFile(Path directory) {
    return directory.resolve("authority.crt");
  }
}
