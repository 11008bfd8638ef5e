package io.testudo.quorum.embedded;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.netty.NettyServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Servers in child processes, one in each. */
final class ServersInChildren implements ServerPlacement {
  /** Many small processes that start often: what they gain by a better compiler comes late. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final String cluster;
  private final ClusterSecrets secrets;
  private final Path directory;
  private final int servers;
  private final String program;

  /**
   * Makes a home.
   *
   * @param directory of the journals
   */
  ServersInChildren(
      String cluster, ClusterSecrets secrets, Path directory, int servers, ServerProgram program) {
    requirePublic(program.getClass());
    this.cluster = cluster;
    this.secrets = secrets;
    this.directory = directory.toAbsolutePath();
    this.servers = servers;
    this.program = program.getClass().getName();
  }

  /** Said here, where its user sees it, and not by a child that dies. */
  private static void requirePublic(Class<?> program) {
    try {
      if (Modifier.isPublic(program.getModifiers())
          && Modifier.isPublic(program.getConstructor().getModifiers())) {
        return;
      }
    } catch (NoSuchMethodException e) {
      // As if it were not public.
    }
    throw new IllegalArgumentException(
        "%s runs in child processes; give it a public class with a public constructor without arguments."
            .formatted(program.getName()));
  }

  @Override
  public PlacedServer begin(ServerId id, int port) throws IOException {
    Path keyDirectory = Files.createTempDirectory("testudo-keys");
    Path keyFile = keyDirectory.resolve(id + ".keys");
    try {
      secrets.serverKeyring(cluster, id).write(keyFile);
      ServerProcess process =
          ServerProcess.launch(
              ChildServer.class,
              QUICK_START,
              List.of(
                  program,
                  keyFile.toString(),
                  directory.toString(),
                  Integer.toString(servers),
                  Integer.toString(port)));
      return new InChild(process, keyFile);
    } catch (IOException | RuntimeException e) {
      deleteKeys(keyFile);
      throw e;
    }
  }

  /** Keys are on disk only until the child has read them. */
  private static void deleteKeys(Path keyFile) throws IOException {
    Files.deleteIfExists(keyFile);
    Path made = keyFile.getParent();
    if (made != null) {
      Files.deleteIfExists(made);
    }
  }

  @Override
  public void close() {}

  private static final class InChild implements PlacedServer {
    private final ServerProcess process;
    private final Path keyFile;

    InChild(ServerProcess process, Path keyFile) {
      this.process = process;
      this.keyFile = keyFile;
    }

    @Override
    public InetSocketAddress awaitReady() throws IOException {
      try {
        process.awaitReady();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), process.ports().get(0));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a server started", e);
      } finally {
        deleteKeys(keyFile);
      }
    }

    @Override
    public NettyServer server() {
      throw new IllegalStateException(
          "This server runs in a process of its own; only clients can ask it.");
    }

    @Override
    public void stop() {
      try {
        process.close();
        deleteKeys(keyFile);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void kill() {
      process.kill();
    }
  }
}
