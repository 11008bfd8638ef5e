package io.testudo.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

/** With Reactor's own kit. */
class ReactiveLockTest {
  /** A hang guard, not an expectation. */
  private static final Duration GUARD = Duration.ofMinutes(1);

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final String name = UUID.randomUUID().toString();
  private TestudoClient client;
  private TestudoClient other;
  private ReactiveLock lock;

  @BeforeEach
  void connect(TestudoCluster cluster) {
    client = cluster.client();
    other = cluster.client();
    lock = ReactiveLock.of(client.lock(name));
  }

  @AfterEach
  void close() {
    client.close();
    other.close();
  }

  private void awaitFree() throws InterruptedException {
    other.lock(name).tryAcquire(GUARD).orElseThrow().close();
  }

  @Test
  void worksUnderTheLockAndGivesItBack() throws Exception {
    AtomicReference<Lease> held = new AtomicReference<>();
    StepVerifier.create(
            lock.withLock(
                lease -> {
                  held.set(lease);
                  return Mono.just(lease.isHeld());
                }))
        .expectNext(true)
        .expectComplete()
        .verify(GUARD);
    assertThat(held).hasValueMatching(lease -> !lease.isHeld());
    awaitFree();
  }

  @Test
  void givesItBackAfterAFailure() throws Exception {
    StepVerifier.create(
            lock.withLockMany(
                lease -> Flux.just(1, 2).concatWith(Flux.error(new ArithmeticException()))))
        .expectNext(1, 2)
        .expectError(ArithmeticException.class)
        .verify(GUARD);
    awaitFree();
  }

  @Test
  void givesItBackWhenTheWorkIsCancelled() throws Exception {
    PublisherProbe<Integer> work = PublisherProbe.of(Flux.just(1).concatWith(Flux.never()));
    StepVerifier.create(lock.withLockMany(lease -> work.flux()))
        .expectNext(1)
        .thenCancel()
        .verify(GUARD);
    work.assertWasCancelled();
    awaitFree();
  }

  @Test
  void aWaitThatIsCancelledAsksForNothing() throws Exception {
    try (Lease theirs = other.lock(name).acquire()) {
      StepVerifier.create(lock.acquire()).expectSubscription().thenCancel().verify(GUARD);
    }
    awaitFree();
  }

  @Test
  void failsAsTheLockDoes() throws Exception {
    LockOptions impatient = LockOptions.standard().withMaxWait(Duration.ZERO);
    try (Lease theirs = other.lock(name).acquire()) {
      StepVerifier.create(
              ReactiveLock.of(client.lock(name, impatient)).withLock(lease -> Mono.just(1)))
          .expectError(NotAcquiredException.class)
          .verify(GUARD);
    }
  }

  @Test
  void eachSubscriptionAsksAnew() {
    Mono<Long> token = lock.withLock(lease -> Mono.just(lease.fencingToken()));
    Long first = token.block(GUARD);
    assertThat(token.block(GUARD)).isGreaterThan(first);
  }

  /** The end of a client is a loss of its leases. */
  @Test
  void aLossCancelsTheWork() {
    Sinks.Empty<Void> begun = Sinks.empty();
    PublisherProbe<Integer> work =
        PublisherProbe.of(
            Mono.<Integer>never().doOnSubscribe(unused -> begun.tryEmitEmpty().orThrow()));
    StepVerifier.create(lock.withLock(lease -> work.mono()))
        .expectSubscription()
        .then(() -> begun.asMono().block(GUARD))
        .then(client::close)
        .expectError(LeaseLostException.class)
        .verify(GUARD);
    work.assertWasCancelled();
  }
}
