package io.testudo.bench.objects;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ServersOnOneLoop;
import io.testudo.node.log.Logging;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.ServerCredentials;
import java.nio.file.Path;
import java.util.List;

/** The child process: servers that keep objects. */
final class ObjectServers {
  private ObjectServers() {}

  /** What {@link #main} takes beside the keys and the number of servers. */
  static List<String> arguments(Mode mode, JournalKind journal, Path journals) {
    return List.of(mode.name(), journal.name(), journals.toString());
  }

  /** The directory with the keys, the number of servers, the mode, where journals are. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    Path keys = Path.of(args[0]);
    Mode mode = Mode.valueOf(args[2]);
    JournalKind journal = JournalKind.valueOf(args[3]);
    Path journals = Path.of(args[4]);
    ChildMain.run(
        () ->
            ServersOnOneLoop.start(
                Integer.parseInt(args[1]),
                OrderingTypes.ALL,
                id -> ServerCredentials.hmac(BenchKeys.read(keys, id)),
                id -> new OrderingServer(mode),
                (id, loop) -> journal.open(journals, id, loop)));
  }
}
