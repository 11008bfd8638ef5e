package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.sim.ScenarioSettings;
import io.testudo.quorum.spi.Entropy;

/** Any protocol, as far as its value tells. Servers that keep nothing on disk do not die. */
final class AnyLock implements SimulatedLock {
  private final LockProtocol protocol;
  private final Thresholds thresholds;

  AnyLock(LockProtocol protocol, ScenarioSettings settings) {
    this.protocol = protocol.withTiming(TIMING);
    this.thresholds = settings.thresholds();
  }

  @Override
  public boolean beFair() {
    return false;
  }

  @Override
  public Machine<ClientId> newServer(ServerId self, Entropy entropy) {
    return protocol.serverMachine(LockScope.everything(), entropy);
  }

  @Override
  public Machine<ServerId> newClient(ClientId self, Entropy entropy) {
    return protocol.clientMachine(
        new LockProtocol.Member(thresholds, self.session(), RankSeals.none(), entropy));
  }

  @Override
  public boolean mayDie(ServerId server) {
    return protocol.keepsJournal();
  }
}
