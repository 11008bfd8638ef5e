package io.testudo.mutex.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.mutex.StaleFenceException;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What users of other lock services reported as bugs: each as a test over real sockets, for any
 * backend. Leases renew by themselves unless a test says otherwise, so one that leaked would never
 * be free again.
 */
@Timeout(180)
abstract class LockAcceptance {
  /** Servers, and clients of them that share nothing. */
  interface Servers extends AutoCloseable {
    int servers();

    LockClient.Builder prepareClient(String principal);

    /** A client of a process that can be killed. */
    Mortal mortalClient(String principal);

    void stop(ServerId server);

    void restart(ServerId server);

    @Override
    void close();
  }

  /** A client, and what ends it without a word. */
  record Mortal(LockClient client, Runnable death) {}

  /** Long enough for whatever must happen, on any machine. */
  private static final Duration GUARD = Duration.ofSeconds(60);

  /** Short, for what must not happen. */
  private static final long BRIEF_MILLIS = 300;

  private Servers cluster;
  private LockClient alice;
  private LockClient bob;

  /** Starts servers, with short holds. One of them may be away. */
  abstract Servers newCluster();

  /** Whether leases have tokens that grow; else they say that there are none. */
  boolean isFenced() {
    return true;
  }

  @BeforeEach
  void start() {
    cluster = newCluster();
    alice = client("alice");
    bob = client("bob");
  }

  private LockClient client(String principal) {
    return cluster.prepareClient(principal).build();
  }

  private void assertLater(Lease later, Lease earlier) {
    assertThat(later.hasFencingToken()).isEqualTo(isFenced());
    if (isFenced()) {
      assertThat(later.fencingToken()).isGreaterThan(earlier.fencingToken());
    } else {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(later::fencingToken)
          .withMessageContaining("no fencing tokens");
    }
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private void stopAll() {
    servers().forEach(cluster::stop);
  }

  private List<ServerId> servers() {
    return IntStream.range(0, cluster.servers()).mapToObj(ServerId::new).toList();
  }

  private static Lease acquire(LockClient client) throws InterruptedException {
    return client.lock("orders").tryAcquire(GUARD).orElseThrow();
  }

  private void assertFree() throws InterruptedException {
    try (Lease lease = acquire(client("carol"))) {
      assertThat(lease.isHeld()).isTrue();
    }
  }

  private static void assertNotFree(LockClient client) throws InterruptedException {
    assertThat(client.lock("orders").tryLock(BRIEF_MILLIS, MILLISECONDS)).isFalse();
  }

  @Test
  void aTimedOutWaiterNeverGetsTheLockLater() throws InterruptedException {
    try (Lease held = acquire(alice)) {
      assertNotFree(bob);
      assertThat(bob.lock("orders").tryLock()).isFalse();
      assertThat(held.isHeld()).isTrue();
    }
    assertFree();
  }

  @Test
  void anInterruptedWaiterNeverGetsTheLockLater() throws Exception {
    try (Lease held = acquire(alice)) {
      DistributedLock wanted = bob.lock("orders");
      InThread<Lease> waiter = InThread.start(wanted::acquire);
      assertNotFree(bob);
      waiter.interrupt();
      assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
      assertThat(held.isHeld()).isTrue();
    }
    assertFree();
  }

  @Test
  void aWaiterGetsTheLockWhenItIsReleased() throws Exception {
    Lease held = acquire(alice);
    InThread<Lease> waiter = InThread.start(() -> acquire(bob));
    assertNotFree(bob);
    held.close();
    assertLater(waiter.result(), held);
  }

  @Test
  void tryLockKeepsItsDeadlineWithAllServersUnreachable() throws InterruptedException {
    stopAll();
    DistributedLock lock = alice.lock("orders");
    assertThat(lock.tryLock(100, MILLISECONDS)).isFalse();
    assertThat(lock.tryLock()).isFalse();
    assertThat(client("dave").lock("orders").tryLock(100, MILLISECONDS)).isFalse();
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // How it ends is what is tested.
  void aFailedReleaseLeavesLocalAndRemoteStateConsistent() throws InterruptedException {
    DistributedLock lock = alice.lock("orders");
    lock.lock();
    Lease lease = lock.currentLease();
    stopAll();
    lock.unlock(); // Nobody hears it.
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lease.isHeld()).isFalse();
    assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::renew);
    servers().forEach(cluster::restart);
    try (Lease next = acquire(bob)) {
      assertLater(next, lease);
    }
    try (Lease again = acquire(alice)) {
      assertThat(again.isHeld()).isTrue();
    }
  }

  @Test
  void renewalStopsAtUnlock() throws InterruptedException {
    List<Event> ofErin = new CopyOnWriteArrayList<>();
    List<Event> ofFred = new CopyOnWriteArrayList<>();
    LockClient erin = cluster.prepareClient("erin").events(ofErin::add).build();
    LockClient fred = cluster.prepareClient("fred").events(ofFred::add).build();
    try (Lease lease = acquire(erin)) {
      Conditions.await("it renews by itself", () -> renewals(ofErin) > 0);
      assertThat(lease.isHeld()).isTrue();
    }
    try (Lease next = acquire(fred)) {
      long before = renewals(ofErin);
      Conditions.await("the next one renews", () -> renewals(ofFred) >= 3);
      assertThat(renewals(ofErin)).isEqualTo(before);
      assertThat(next.isHeld()).isTrue();
    }
  }

  private static long renewals(List<Event> events) {
    return events.stream().filter(LeaseRenewed.class::isInstance).count();
  }

  @Test
  void aPausedHoldersFenceIsRefused() throws InterruptedException {
    assumeTrue(isFenced());
    FencedResource<List<String>> log = new FencedResource<>(new ArrayList<>());
    LockOptions once = alice.defaultOptions().withoutAutoRenewal();
    Lease paused = alice.lock("orders").acquire(once);
    // Meanwhile its holder does nothing, as in a long pause of its process.
    try (Lease next = acquire(bob)) {
      assertThat(log.<Boolean>use(next.fencingToken(), it -> it.add("bob"))).isTrue();
    }
    assertThat(paused.isHeld()).isFalse();
    assertThatExceptionOfType(StaleFenceException.class)
        .isThrownBy(() -> log.use(paused.fencingToken(), it -> it.add("alice")));
  }

  @Test
  void aCancelledFutureWithdrawsItsRequest() throws InterruptedException {
    try (Lease held = acquire(alice)) {
      CompletableFuture<Lease> future = bob.lock("orders").acquireAsync();
      assertNotFree(bob);
      assertThat(future.cancel(false)).isTrue();
      assertThat(held.isHeld()).isTrue();
    }
    assertFree();
  }

  @Test
  void futuresThatAreCancelledAtAnyMomentLeakNothing() throws InterruptedException {
    DistributedLock lock = bob.lock("orders");
    for (int round = 0; round < 200; round++) {
      CompletableFuture<Lease> future = lock.acquireAsync();
      // Rounds differ in how far the request gets before it is cancelled.
      for (int spin = 0; spin < round * 50; spin++) {
        Thread.onSpinWait();
      }
      if (!future.cancel(false)) {
        future.join().close();
      }
    }
    assertFree();
  }

  @Test
  void aRestartedServerRejoinsByItselfSafely() throws InterruptedException {
    Lease held = acquire(alice);
    cluster.stop(new ServerId(0));
    cluster.restart(new ServerId(0));
    assertNotFree(bob);
    assertThat(held.isHeld()).isTrue();
    held.close();
    cluster.stop(new ServerId(1)); // So the first one is needed again.
    try (Lease next = acquire(bob)) {
      assertLater(next, held);
    }
  }

  @Test
  void lossIsToldAtOnceWithoutACallOfTheHolder() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    Lease lease = acquire(alice);
    lease.onLost(told::countDown);
    stopAll();
    told.await();
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void ownershipIsAHandleAndNotAThread() throws Exception {
    DistributedLock lock = alice.lock("orders");
    Lease lease = lock.tryAcquire(GUARD).orElseThrow();
    assertNotFree(alice); // The same thread, another contender.
    Boolean renewedElsewhere =
        InThread.start(
                () -> {
                  lease.renew();
                  lease.close();
                  return !lease.isHeld();
                })
            .result();
    assertThat(renewedElsewhere).isTrue();
    assertFree();
  }

  @Test
  void aDeadHoldersLockIsTakenByAnother() throws InterruptedException {
    Mortal gone = cluster.mortalClient("gone");
    Lease held = acquire(gone.client());
    gone.death().run();
    try (Lease next = acquire(bob)) {
      assertLater(next, held);
    }
  }

  @Test
  void closingAClientFreesItsLocks() throws InterruptedException {
    Lease held = acquire(alice);
    alice.close();
    assertThat(held.isHeld()).isFalse();
    assertFree();
  }

  @Test
  void threadsOfSeveralClientsExcludeEachOtherAndTokensGrow() throws Exception {
    int rounds = 20;
    List<Long> tokens = new ArrayList<>(); // Not safe for threads: the lock is what protects it.
    List<InThread<Boolean>> threads = new ArrayList<>();
    for (LockClient client : List.of(alice, bob)) {
      DistributedLock lock = client.lock("orders");
      for (int i = 0; i < 2; i++) {
        threads.add(InThread.start(() -> addTokens(lock, tokens, rounds)));
      }
    }
    for (InThread<Boolean> thread : threads) {
      assertThat(thread.result()).isTrue();
    }
    assertThat(tokens).hasSize(4 * rounds).isSorted().doesNotHaveDuplicates();
  }

  private boolean addTokens(DistributedLock lock, List<Long> tokens, int rounds) {
    for (int round = 0; round < rounds; round++) {
      lock.lock();
      try {
        tokens.add(isFenced() ? lock.currentLease().fencingToken() : tokens.size());
      } finally {
        lock.unlock();
      }
    }
    return true;
  }

  @Test
  void overlappingSetsOfLocksDoNotDeadlock() throws Exception {
    List<InThread<Boolean>> threads = new ArrayList<>();
    for (List<String> names : List.of(List.of("a", "b"), List.of("c", "b"), List.of("c", "a"))) {
      LockClient client = threads.size() % 2 == 0 ? alice : bob;
      threads.add(
          InThread.start(
              () -> {
                for (int round = 0; round < 10; round++) {
                  try (MultiLease leases = client.multiLock(names).acquire()) {
                    assertThat(leases.isHeld()).isTrue();
                  }
                }
                return true;
              }));
    }
    for (InThread<Boolean> thread : threads) {
      assertThat(thread.result()).isTrue();
    }
  }
}
