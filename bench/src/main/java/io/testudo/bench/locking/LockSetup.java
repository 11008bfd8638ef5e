package io.testudo.bench.locking;

import io.testudo.bench.floor.Connections;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.quorum.Thresholds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who asks whom for what.
 *
 * @param protocol how
 * @param locks the clients take turns at; client i uses lock i modulo this
 */
record LockSetup(LockProtocol protocol, Thresholds thresholds, int locks, Connections connections) {
  private static final Duration HOLD = Duration.ofSeconds(10);

  /** Those who take turns, on clients that they share or not. */
  List<LockUser> contenders(LockClients clients, int count) {
    List<Section> sections = Stream.generate(Section::new).limit(locks).toList();
    LockOptions options =
        LockOptions.standard()
            .withHold(HOLD)
            .withoutAutoRenewal() // Turns are over long before.
            .withServers(protocol.asked(thresholds.need()));
    List<LockUser> contenders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int lock = i % locks;
      contenders.add(new LockUser(clients.lock(i, "lock-" + lock, options), sections.get(lock)));
    }
    return contenders;
  }
}
