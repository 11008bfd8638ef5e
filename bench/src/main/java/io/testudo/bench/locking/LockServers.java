package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.mutex.client.LockBackend;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.runtime.MemoryJournal;
import java.nio.file.Path;

/** The child process: servers that grant locks. */
final class LockServers {
  private LockServers() {}

  /** The directory with the keys, the number of servers, the protocol. */
  public static void main(String[] args) throws Exception {
    LockBackend backend = LockProtocol.valueOf(args[2]).backend();
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                Integer.parseInt(args[1]),
                backend.types(),
                id -> ServerCredentials.hmac(BenchKeys.read(Path.of(args[0]), id)),
                backend::serverHalf,
                (id, loop) -> new MemoryJournal()));
  }
}
