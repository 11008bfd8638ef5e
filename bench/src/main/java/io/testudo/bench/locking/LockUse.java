package io.testudo.bench.locking;

import io.testudo.bench.measure.Session;
import java.io.IOException;
import java.util.Locale;

/** How an application uses the lock. */
enum LockUse {
  /** Calls with listeners on the client's loop: what the protocol itself can do. */
  ASYNC {
    @Override
    Session open(MeasuredLockCluster cluster, LockSetup setup, int clients) throws IOException {
      return AsyncSession.connect(cluster, setup, clients);
    }
  },

  /** A thread for each client, blocked in {@code DistributedLock.acquire}. */
  BLOCKING {
    @Override
    Session open(MeasuredLockCluster cluster, LockSetup setup, int clients) throws IOException {
      return BlockingSession.connect(cluster, setup, clients);
    }
  };

  abstract Session open(MeasuredLockCluster cluster, LockSetup setup, int clients)
      throws IOException;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
