package io.testudo.bench.objects;

import io.testudo.bench.cluster.DeployedClients;
import io.testudo.bench.cluster.DeployedCluster;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Testudo's object in one setup, its servers in a process of their own. */
final class ObjectContestant implements Contestant {
  private final ObjectSetup setup;
  private final DeployedCluster cluster;
  private Usage lastUsage = Usage.NONE;

  private ObjectContestant(ObjectSetup setup, DeployedCluster cluster) {
    this.setup = setup;
    this.cluster = cluster;
  }

  /**
   * Starts the servers.
   *
   * @param clients that are opened at most
   * @param directory in which journals are made; null for where the system keeps temporary files
   */
  static ObjectContestant start(ObjectSetup setup, int clients, @Nullable Path directory)
      throws IOException, InterruptedException {
    return new ObjectContestant(
        setup,
        DeployedCluster.start(
            setup.thresholds().servers(),
            setup.thresholds().faults(),
            setup.common(),
            setup.journal(),
            setup.sharing().sessions(clients),
            directory));
  }

  @Override
  public String system() {
    return "testudo";
  }

  /** With what tells it from others of the same run. */
  @Override
  public String mode() {
    return setup.modeName() + " " + setup.journal().word();
  }

  ObjectSetup setup() {
    return setup;
  }

  @Override
  public Session open(int clients) throws IOException {
    DeployedClients connected = cluster.connect(setup.sharing().sessions(clients));
    try {
      return new ObjectSession(this, connected, clients);
    } catch (RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  /** Of the servers together, after a full collection. */
  long heapUsedBytes() throws IOException {
    return cluster.heapUsedBytes();
  }

  /** Of all journals on disk. */
  long journalBytes() throws IOException {
    return cluster.sizeBytes();
  }

  /** On which journals are; absent if there are none. */
  @Nullable String fileSystem() throws IOException {
    return setup.journal() == JournalKind.OFF ? null : cluster.fileSystem();
  }

  /** What the last session that was closed has used. */
  Usage lastUsage() {
    return lastUsage;
  }

  void used(Usage usage) {
    lastUsage = usage;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
