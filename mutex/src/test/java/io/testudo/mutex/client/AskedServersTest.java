package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Six servers, of which clients ask all or a quorum. */
@Timeout(180)
class AskedServersTest {
  private static final LockOptions.Servers QUORUM = LockOptions.Servers.QUORUM;

  @AutoClose
  private final LockCluster cluster = LockCluster.start(6, 1, BackoffAcceptanceTest.TIMING);

  private final LockClient alice = cluster.client("alice");
  private final LockClient bob = cluster.client("bob");

  @Test
  void whoAsksAQuorumAndWhoAsksAllExcludeEachOther() throws InterruptedException {
    DistributedLock some = alice.lock("orders", alice.defaultOptions().withServers(QUORUM));
    DistributedLock all = bob.lock("orders");
    Lease first = some.tryAcquire(Duration.ofMinutes(1)).orElseThrow();
    assertThat(all.tryLock()).isFalse();
    first.close();
    Lease second = all.tryAcquire(Duration.ofMinutes(1)).orElseThrow();
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    assertThat(some.tryLock()).isFalse();
    second.close();
    assertThat(some.tryAcquire(Duration.ofMinutes(1))).isPresent();
  }
}
