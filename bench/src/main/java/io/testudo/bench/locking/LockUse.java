package io.testudo.bench.locking;

import io.testudo.bench.measure.BlockingCallers;
import io.testudo.bench.measure.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How an application uses the lock. */
enum LockUse {
  /** Futures, and what is chained to them on the client's loop: the most that a client can do. */
  ASYNC {
    @Override
    Session open(LockClients connected, List<LockUser> contenders) {
      return new AsyncSession(connected, contenders);
    }
  },

  /** A thread for each client, blocked in {@code DistributedLock.acquire}. */
  BLOCKING {
    @Override
    Session open(LockClients connected, List<LockUser> contenders) {
      List<BlockingCallers.Turn> turns = new ArrayList<>();
      contenders.forEach(contender -> turns.add(contender::takeTurn));
      return new BlockingCallers(turns, connected::close);
    }
  };

  /** Takes turns; the clients end with the session. */
  abstract Session open(LockClients connected, List<LockUser> contenders);

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
