package io.testudo.quorum.embedded;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.wire.WireTypes;
import java.util.List;

/**
 * What each server of a cluster runs. For servers in child processes it is a public class with a
 * public constructor without arguments: each child makes its own, by the class's name.
 */
public interface ServerProgram {
  /** All that the machines send, receive and persist. */
  WireTypes types();

  /**
   * The machines of a server as they are at each start.
   *
   * @param servers of the cluster
   */
  List<Machine<ClientId>> machines(ServerId self, int servers);
}
