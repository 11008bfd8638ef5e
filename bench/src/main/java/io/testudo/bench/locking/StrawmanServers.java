package io.testudo.bench.locking;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.bench.strawman.StrawmanProtocol;
import io.testudo.bench.strawman.StrawmanServer;
import io.testudo.bench.strawman.StrawmanTypes;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.log.Logging;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.ServerCredentials;
import java.nio.file.Path;

/** The child process: servers of the {@linkplain StrawmanProtocol strawman}. */
final class StrawmanServers {
  private StrawmanServers() {}

  /** The directory with the keys, the number of servers. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                Integer.parseInt(args[1]),
                StrawmanTypes.ALL,
                id -> ServerCredentials.hmac(BenchKeys.read(Path.of(args[0]), id)),
                id -> new StrawmanServer(LockTiming.standard(), LockScope.everything())));
  }
}
