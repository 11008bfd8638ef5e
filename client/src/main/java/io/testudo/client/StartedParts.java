package io.testudo.client;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.keeping.RecipeBook;
import io.testudo.mutex.client.LockClient;
import io.testudo.ordering.access.ObjectClient;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.cluster.ClusterDescription;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Suspicion;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a client consists of beside its connections: each part is started when first needed. */
final class StartedParts implements AutoCloseable {
  private final ClusterClient cluster;
  private final Listeners listeners;

  /** Null for threads of its own. */
  private final @Nullable Executor executor;

  /** That others use, too; null for those of its own. */
  private final @Nullable ClientLoops loops;

  /** Not a monitor: who waits for what another starts would pin the carrier of a virtual thread. */
  private final ReentrantLock starting = new ReentrantLock();

  /** Guarded by {@link #starting}, as is what follows. */
  private @Nullable LockClient locks;

  private @Nullable ObjectClient objects;
  private @Nullable RecipeKit recipes;
  private boolean closed;

  StartedParts(
      ClusterClient cluster,
      Listeners listeners,
      @Nullable Executor executor,
      @Nullable ClientLoops loops) {
    this.cluster = cluster;
    this.listeners = listeners;
    this.executor = executor;
    this.loops = loops;
  }

  LockClient locks() {
    return whileOpen(
        () -> {
          if (locks == null) {
            requireOpen();
            locks = cluster.config().isRing() ? ringLocks() : clusterLocks();
          }
          return locks;
        });
  }

  /** Not on a ring, which has none. */
  ObjectClient objects() {
    return whileOpen(
        () -> {
          if (objects == null) {
            requireOpen();
            objects = newObjects();
          }
          return objects;
        });
  }

  RecipeBook recipes() {
    return whileOpen(
        () -> {
          if (recipes == null) {
            requireOpen();
            recipes = RecipeKit.of(cluster.config(), executor);
          }
          return recipes.book();
        });
  }

  private <P> P whileOpen(Supplier<P> part) {
    starting.lock();
    try {
      return part.get();
    } finally {
      starting.unlock();
    }
  }

  /** Called while starting is locked: nobody would close what {@link #close} has not seen. */
  private void requireOpen() {
    if (closed) {
      throw new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
  }

  private LockClient clusterLocks() {
    ClientConfig config = cluster.config();
    ClusterDescription description = config.cluster();
    LockClient.Builder builder =
        LockClient.on(cluster.connections(), description.servers(), description.byzantine())
            .seals(cluster.rankSeals())
            .table(config.common().lock().table())
            .events(this::told)
            .listener(listeners);
    config.common().lock().protocols().forEach(builder::backend);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  private LockClient ringLocks() {
    LockClient.Builder builder =
        LockClient.at(cluster.ringClient(loops)).closesConnections().listener(listeners);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  private ObjectClient newObjects() {
    ClientConfig config = cluster.config();
    ClusterDescription description = config.cluster();
    ObjectClient.Builder builder =
        ObjectClient.on(cluster.connections(), description.servers(), description.byzantine())
            .backend(cluster.objectBackend())
            .seals(cluster.objectSeals())
            .timeout(config.timeout())
            .events(this::told);
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  /** What machines tell of servers. */
  private void told(Event event) {
    cluster.told(event);
    if (event instanceof Suspicion suspicion) {
      listeners.suspected(suspicion.server().toString(), suspicion.reason());
    }
  }

  /** Gives back what is held, and ends the connections. */
  @Override
  public void close() {
    LockClient openLocks;
    ObjectClient openObjects;
    RecipeKit openRecipes;
    starting.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      openLocks = locks;
      openObjects = objects;
      openRecipes = recipes;
    } finally {
      starting.unlock();
    }
    if (openRecipes != null) {
      openRecipes.close(); // What they hold is given back by operations.
    }
    if (openLocks != null) {
      openLocks.close();
    }
    if (openObjects != null) {
      openObjects.endTenures();
    }
    cluster.close();
    // After the connections: what servers still answer is then nobody's, and no reason to warn.
    if (openObjects != null) {
      openObjects.close();
    }
  }
}
