package io.testudo.bench.locking;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.LockOptions;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Clients that are connected, each a process of its own as the servers see it.
 *
 * @param clients give locks by name
 * @param end disconnects them
 */
record LockClients(List<BiFunction<String, LockOptions, DistributedLock>> clients, Runnable end)
    implements AutoCloseable {
  /** A contender, who shares a client with others if there are more contenders than clients. */
  DistributedLock lock(int contender, String name, LockOptions options) {
    return clients.get(contender % clients.size()).apply(name, options);
  }

  @Override
  public void close() {
    end.run();
  }
}
