package io.testudo.bench.locking;

import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Session;
import java.io.IOException;

/** A backend used in one way. Its servers are those of a cluster that others use, too. */
final class LockContestant implements Contestant {
  private final MeasuredLockCluster cluster;
  private final LockSetup setup;
  private final LockUse use;

  LockContestant(MeasuredLockCluster cluster, LockSetup setup, LockUse use) {
    this.cluster = cluster;
    this.setup = setup;
    this.use = use;
  }

  @Override
  public String system() {
    return "testudo";
  }

  @Override
  public String backend() {
    return setup.protocol().name();
  }

  @Override
  public String mode() {
    return setup.thresholds().need().modeName() + " " + use.word();
  }

  LockSetup setup() {
    return setup;
  }

  LockUse use() {
    return use;
  }

  @Override
  public Session open(int clients) throws IOException {
    LockClients connected = cluster.connect(setup.connections().sessions(clients));
    try {
      return use.open(connected, setup.contenders(connected, clients));
    } catch (RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  /** The servers are the cluster's. */
  @Override
  public void close() {}
}
