package io.testudo.bench.pinging;

import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.node.log.Logging;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import java.nio.file.Path;

/** The child process: servers that answer pings. */
final class PingServers {
  private PingServers() {}

  /** The directory with the keys, the number of servers, the mode. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    int count = Integer.parseInt(args[1]);
    PingSecurity security = PingSecurity.of(args[2]);
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                count,
                PingTypes.ALL,
                id -> security.read(Path.of(args[0]), id),
                id -> new PingServer(id, count)));
  }
}
