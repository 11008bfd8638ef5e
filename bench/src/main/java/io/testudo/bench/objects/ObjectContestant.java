package io.testudo.bench.objects;

import io.testudo.bench.cluster.BenchKeys;
import io.testudo.bench.cluster.ConnectedClients;
import io.testudo.bench.cluster.MeasuredCluster;
import io.testudo.bench.cluster.TemporaryDirectory;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.OrderingTypes;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.KeyPurpose;
import io.testudo.quorum.netty.ClientCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Testudo's object in one setup, its servers in a process of their own. */
final class ObjectContestant implements Contestant {
  /** All objects of the bench begin with it; the clients share a key for such names. */
  static final String PREFIX = "counter";

  private final ObjectSetup setup;
  private final MeasuredCluster<ClientKeyring> cluster;
  private final TemporaryDirectory journals;
  private final OrderSeals seals;
  private Usage lastUsage = Usage.NONE;

  private ObjectContestant(
      ObjectSetup setup, MeasuredCluster<ClientKeyring> cluster, TemporaryDirectory journals) {
    this.setup = setup;
    this.cluster = cluster;
    this.journals = journals;
    this.seals =
        setup.isSealed()
            ? setup
                .seals()
                .make(
                    Objects.requireNonNull(cluster.keys().groupKeys(KeyPurpose.ORDER).get(PREFIX)))
            : OrderSeals.none();
  }

  /**
   * Starts the servers.
   *
   * @param directory in which journals are made; null for where the system keeps temporary files
   */
  static ObjectContestant start(ObjectSetup setup, @Nullable Path directory)
      throws IOException, InterruptedException {
    TemporaryDirectory journals = TemporaryDirectory.createIn(directory);
    try {
      MeasuredCluster<ClientKeyring> cluster =
          MeasuredCluster.start(
              setup.thresholds().servers(),
              (servers, keys) -> BenchKeys.issue(servers, List.of(PREFIX), keys),
              ObjectServers.class,
              ObjectServers.arguments(setup.mode(), setup.journal(), journals.path()));
      return new ObjectContestant(setup, cluster, journals);
    } catch (IOException | InterruptedException | RuntimeException e) {
      journals.close();
      throw e;
    }
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

  OrderSeals seals() {
    return seals;
  }

  /** Makes clients of its servers. */
  ConnectedClients clients() {
    return cluster.clients(ClientCredentials.hmac(cluster.keys()), OrderingTypes.ALL);
  }

  @Override
  public Session open(int clients) throws IOException {
    return ObjectSession.connect(this, clients);
  }

  /** Of the servers together, after a full collection. */
  long heapUsedBytes() throws IOException {
    return cluster.heapUsedBytes();
  }

  /** Of all journals on disk. */
  long journalBytes() throws IOException {
    return journals.sizeBytes();
  }

  /** On which journals are; absent if there are none. */
  @Nullable String fileSystem() throws IOException {
    return setup.journal() == JournalKind.OFF ? null : Files.getFileStore(journals.path()).type();
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
    try (journals) {
      cluster.close();
    }
  }
}
