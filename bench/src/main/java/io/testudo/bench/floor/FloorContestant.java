package io.testudo.bench.floor;

import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import io.testudo.quorum.embedded.ServerProcess;
import java.io.IOException;
import java.util.List;

/**
 * The floor as a contestant: its servers in their own process, its clients with the same
 * connections as the contestant that it is compared with, awaiting as many answers.
 */
public final class FloorContestant implements Contestant {
  public static final String NAME = "floor";

  private final ServerProcess servers;
  private final int answersAwaited;
  private final Connections connections;

  private FloorContestant(ServerProcess servers, int answersAwaited, Connections connections) {
    this.servers = servers;
    this.answersAwaited = answersAwaited;
    this.connections = connections;
  }

  /**
   * Starts the servers.
   *
   * @param answersAwaited how many servers have to answer before an operation is done
   */
  public static FloorContestant start(int servers, int answersAwaited, Connections connections)
      throws IOException, InterruptedException {
    return new FloorContestant(
        ServerProcess.start(FloorServer.class, List.of(Integer.toString(servers))),
        answersAwaited,
        connections);
  }

  @Override
  public String system() {
    return NAME;
  }

  @Override
  public String mode() {
    return NAME;
  }

  @Override
  public Session open(int clients) throws IOException {
    return FloorSession.connect(servers.ports(), clients, answersAwaited, connections);
  }

  @Override
  public void close() throws IOException {
    servers.close();
  }
}
