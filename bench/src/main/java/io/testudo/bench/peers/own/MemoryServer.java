package io.testudo.bench.peers.own;

import io.testudo.node.config.ServerConfig;
import io.testudo.node.log.Logging;
import io.testudo.node.server.Journals;
import io.testudo.node.server.ServerNode;
import io.testudo.quorum.netty.ServerLoops;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A server as {@code testudo server} runs it, but for its journals, which are in memory. */
public final class MemoryServer {
  private MemoryServer() {}

  /** The configuration of the server. */
  public static void main(String[] args) throws InterruptedException {
    Logging.install();
    ServerNode unused =
        ServerNode.start(
            ServerConfig.read(Path.of(args[0])),
            Journals.inMemory(),
            ServerLoops.start(1),
            // Figures of a cluster that has lost a server would not mean what they say.
            (machine, cause) -> Runtime.getRuntime().halt(1));
    new CountDownLatch(1).await(); // Until the parent ends.
  }
}
