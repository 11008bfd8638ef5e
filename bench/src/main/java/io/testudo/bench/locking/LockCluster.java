package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.embedded.ServerProcess;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Servers in a process of their own, and the keys to talk to them. */
final class LockCluster implements AutoCloseable {
  private final int servers;
  private final ImmutableList<LockProtocol> protocols;
  private final ClientKeyring keys;
  private final ServerProcess process;

  private LockCluster(
      int servers,
      ImmutableList<LockProtocol> protocols,
      ClientKeyring keys,
      ServerProcess process) {
    this.servers = servers;
    this.protocols = protocols;
    this.keys = keys;
    this.process = process;
  }

  /**
   * Starts servers that speak all these protocols. Their keys are on disk only until they have read
   * them.
   */
  static LockCluster start(int servers, ImmutableList<LockProtocol> protocols)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("testudo-bench");
    try {
      ClientKeyring keys = LockKeys.issue(servers, directory);
      ServerProcess process =
          ServerProcess.start(
              LockServers.class,
              List.of(directory.toString(), Integer.toString(servers), words(protocols)));
      return new LockCluster(servers, protocols, keys, process);
    } finally {
      delete(directory);
    }
  }

  private static String words(ImmutableList<LockProtocol> protocols) {
    return protocols.stream().map(LockProtocol::name).collect(Collectors.joining(","));
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  int servers() {
    return servers;
  }

  /** A client process of its own, as the servers see it. */
  NettyClient connect() {
    ImmutableList<InetSocketAddress> addresses =
        process.ports().stream()
            .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .collect(ImmutableList.toImmutableList());
    return NettyClient.connect(
        addresses,
        ClientCredentials.hmac(keys),
        LinkLimits.standard(),
        LockProtocol.types(protocols));
  }

  /** How its clients seal their ranks. */
  RankSeals seals() {
    return GroupRankSeals.of(LockKeys.CLUSTER, keys.groupKeys());
  }

  @Override
  public void close() throws IOException {
    process.close();
  }
}
