package io.testudo.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's own tests of a provider, and what this one adds. */
class TestudoLockProviderTest extends AbstractExtensibleLockProviderIntegrationTest {
  /** A hang guard, not an expectation. */
  private static final Duration GUARD = Duration.ofMinutes(1);

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private TestudoClient client;
  private TestudoClient other;
  private TestudoLockProvider provider;

  @BeforeEach
  void connect(TestudoCluster cluster) {
    client = cluster.client();
    other = cluster.client();
    provider = new TestudoLockProvider(client);
  }

  @AfterEach
  void close() {
    provider.close();
    client.close();
    other.close();
  }

  @Override
  protected ExtensibleLockProvider getLockProvider() {
    return provider;
  }

  @Override
  protected void assertUnlocked(String lockName) {
    try (Lease lease = other.lock(lockName).tryAcquire(GUARD).orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
    } catch (InterruptedException e) {
      fail("interrupted", e);
    }
  }

  @Override
  protected void assertLocked(String lockName) {
    try {
      assertThat(other.lock(lockName).tryAcquire()).isEmpty();
    } catch (InterruptedException e) {
      fail("interrupted", e);
    }
  }

  /** With more time for a loaded machine. */
  @Test
  @Override
  public void shouldLockAtLeastFor() throws InterruptedException {
    doTestShouldLockAtLeastFor(1_000);
  }

  @Test
  void aTaskSeesItsFencingToken() {
    assertThat(TestudoLockProvider.currentLease()).isEmpty();
    SimpleLock first = lock(Duration.ofMinutes(5));
    long token = TestudoLockProvider.currentLease().orElseThrow().fencingToken();
    SimpleLock extended = first.extend(Duration.ofMinutes(5), Duration.ZERO).orElseThrow();
    assertThat(TestudoLockProvider.currentLease().orElseThrow().fencingToken()).isEqualTo(token);
    extended.unlock();
    assertThat(TestudoLockProvider.currentLease()).isEmpty();
    SimpleLock second = lock(Duration.ofMinutes(5));
    assertThat(TestudoLockProvider.currentLease().orElseThrow().fencingToken())
        .isGreaterThan(token);
    second.unlock();
  }

  @Test
  void leavesALockThatAnotherProcessHas(TestudoCluster cluster) throws Exception {
    try (TestudoClient third = cluster.client();
        TestudoLockProvider others = new TestudoLockProvider(third)) {
      SimpleLock theirs = others.lock(lockConfig(LOCK_NAME1)).orElseThrow();
      assertThat(provider.lock(lockConfig(LOCK_NAME1))).isEmpty();
      theirs.unlock();
      assertUnlocked(LOCK_NAME1);
    }
  }

  private SimpleLock lock(Duration most) {
    Optional<SimpleLock> lock = provider.lock(lockConfig(LOCK_NAME1, most, Duration.ZERO));
    return lock.orElseThrow();
  }
}
