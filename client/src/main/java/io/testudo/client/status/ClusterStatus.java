package io.testudo.client.status;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as a client saw it at one moment.
 *
 * @param servers s0 first
 * @param tolerated how many of them may fail or lie while the cluster keeps its promises
 * @param hasQuorum whether enough of them answered to serve this client
 */
public record ClusterStatus(List<Server> servers, int tolerated, boolean hasQuorum) {
  public ClusterStatus {
    servers = List.copyOf(servers);
  }

  /**
   * One server.
   *
   * @param name such as s0
   * @param roundTrip how long its answer took, if it answered
   * @param version of its program, if it told: it tells whoever may administer
   * @param faults what is wrong with it, as far as this client can know
   */
  public record Server(
      String name,
      Optional<Duration> roundTrip,
      Optional<String> version,
      List<ServerFault> faults) {
    public Server {
      faults = List.copyOf(faults);
    }
  }

  /** How many servers have something wrong with them. */
  public int failing() {
    return (int) servers.stream().filter(server -> !server.faults().isEmpty()).count();
  }

  /** Whether a quorum answers and no more servers fail than are tolerated. */
  public boolean isHealthy() {
    return hasQuorum && failing() <= tolerated;
  }
}
