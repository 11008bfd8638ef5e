package io.testudo.client.cluster;

import io.testudo.client.config.ClientConfig;
import io.testudo.crypto.Seal;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.access.ObjectSeals;
import io.testudo.quorum.ConfigurationException;
import io.testudo.quorum.netty.NettyClient;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a client seals, by the keys that it has at present. They are exchanged between steps of its
 * machines: within one step there is one answer to whether something can be sealed. Its user sees
 * to it that one call comes after the other.
 */
final class SealsInUse {
  private final NettyClient connections;
  private volatile @Nullable RankSeals ofLocks;
  private volatile @Nullable ObjectSeals ofObjects;

  SealsInUse(NettyClient connections) {
    this.connections = connections;
  }

  /** How ranks of locks are sealed, now and after each exchange. */
  RankSeals ofLocks(ClientConfig config) {
    ofLocks = config.rankSeals(connections.session());
    return new Following(() -> present(ofLocks));
  }

  /** How what is said of objects is sealed, now and after each exchange. */
  ObjectSeals ofObjects(ClientConfig config) {
    ofObjects = config.objectSeals();
    return ObjectSeals.following(config.cluster().name(), () -> present(ofObjects));
  }

  /**
   * Makes the seals of another configuration.
   *
   * @return exchanges them; not before all is known to be good
   * @throws ConfigurationException if it lacks keys that are needed
   */
  Runnable prepare(ClientConfig fresh) {
    RankSeals locks = ofLocks == null ? null : fresh.rankSeals(connections.session());
    ObjectSeals objects = ofObjects == null ? null : fresh.objectSeals();
    return () ->
        connections.betweenSteps(
            () -> {
              ofLocks = locks == null ? ofLocks : locks;
              ofObjects = objects == null ? ofObjects : objects;
            });
  }

  private static <T> T present(@Nullable T seals) {
    if (seals == null) {
      throw new IllegalStateException("seals are there from their first use on");
    }
    return seals;
  }

  private record Following(Supplier<RankSeals> present) implements RankSeals {
    @Override
    public Optional<Seal> seal(String lock, long time, long session) {
      return present.get().seal(lock, time, session);
    }

    @Override
    public Verdict check(String lock, SealedRank rank) {
      return present.get().check(lock, rank);
    }
  }
}
