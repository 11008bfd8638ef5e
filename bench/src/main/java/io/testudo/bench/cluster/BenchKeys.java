package io.testudo.bench.cluster;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.cluster.ServerKeyring;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** The keys of a measured cluster: new ones for each run. */
public final class BenchKeys {
  public static final String CLUSTER = "bench";
  public static final String PRINCIPAL = "bench";

  private BenchKeys() {}

  /** Writes a file for each server, and gives the client's keys, which seal nothing. */
  public static ClientKeyring issue(int servers, Path directory) throws IOException {
    try (ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom())) {
      for (ServerId server : ServerSet.firstN(servers)) {
        secrets.serverKeyring(CLUSTER, server).write(file(directory, server));
      }
      return secrets.clientKeyring(CLUSTER, PRINCIPAL, servers, List.of());
    }
  }

  public static ServerKeyring read(Path directory, ServerId server) throws IOException {
    return ServerKeyring.read(file(directory, server));
  }

  /** Where the keys of a server are until it has read them. */
  public static Path file(Path directory, ServerId server) {
    return directory.resolve(server + ".keys");
  }
}
