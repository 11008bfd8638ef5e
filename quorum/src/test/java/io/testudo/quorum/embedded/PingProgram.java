package io.testudo.quorum.embedded;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/** Servers that answer pings. */
public final class PingProgram implements ServerProgram {
  /** For the children. */
  public PingProgram() {}

  @Override
  public WireTypes types() {
    return PingTypes.ALL;
  }

  @Override
  public List<Machine<ClientId>> machines(ServerId self, int servers) {
    return List.of(new PingServer(self, servers));
  }
}
