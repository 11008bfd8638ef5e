package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTypes;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.runtime.MemoryJournal;
import java.nio.file.Path;

/** The child process: servers that grant locks. */
final class LockServers {
  private LockServers() {}

  /** The directory with the keys, the number of servers. */
  public static void main(String[] args) throws Exception {
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                Integer.parseInt(args[1]),
                BackoffTypes.ALL,
                id -> ServerCredentials.hmac(BenchKeys.read(Path.of(args[0]), id)),
                id -> new BackoffServer(LockTiming.standard()),
                (id, loop) -> new MemoryJournal()));
  }
}
