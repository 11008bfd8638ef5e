package io.testudo.bench.locking;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.ServerKeyring;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** The keys of a measured cluster: new ones for each run. Ranks are sealed, as they should be. */
final class LockKeys {
  static final String CLUSTER = "bench";

  /** All locks of the bench begin with it; the clients share a key for such names. */
  static final String PREFIX = "lock";

  private static final String PRINCIPAL = "bench";

  private LockKeys() {}

  /** Writes a file for each server, and gives the client's keys. */
  static ClientKeyring issue(int servers, Path directory) throws IOException {
    try (ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom())) {
      for (ServerId server : ServerSet.firstN(servers)) {
        secrets.serverKeyring(CLUSTER, server).write(file(directory, server));
      }
      return secrets.clientKeyring(CLUSTER, PRINCIPAL, servers, List.of(PREFIX));
    }
  }

  static ServerKeyring read(Path directory, ServerId server) throws IOException {
    return ServerKeyring.read(file(directory, server));
  }

  private static Path file(Path directory, ServerId server) {
    return directory.resolve(server + ".keys");
  }
}
