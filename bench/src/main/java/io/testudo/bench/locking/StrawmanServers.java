package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.node.log.Logging;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.runtime.MemoryJournal;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The child process: servers that grant locks. */
final class LockServers {
  private static final SecureRandom RANDOM = new SecureRandom();

  private LockServers() {}

  /** The directory with the keys, the number of servers, the protocol. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    LockProtocol protocol = MeasuredLocks.named(args[2]);
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                Integer.parseInt(args[1]),
                protocol.types(),
                id -> ServerCredentials.hmac(BenchKeys.read(Path.of(args[0]), id)),
                id -> protocol.serverMachine(LockScope.everything(), RANDOM::nextLong),
                (id, loop) -> new MemoryJournal()));
  }
}
