package io.testudo.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.testudo.client.ClientListener;
import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mockito.ArgumentCaptor;

class TestudoMetersTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private static final TestudoClusterExtension CLUSTER = TestudoClusterExtension.of(4, 1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private TestudoClient client;
  private TestudoClient other;
  private TestudoMeters meters;

  @BeforeEach
  void bind(TestudoCluster cluster) {
    client = cluster.client("alice");
    other = cluster.client();
    meters = new TestudoMeters(client);
    meters.bindTo(registry);
  }

  private long acquired(String outcome) {
    return registry
        .get("testudo.lock.acquire")
        .tags("outcome", outcome, "principal", "alice")
        .timer()
        .count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private long ended(String how) {
    return registry.get("testudo.lock.hold").tag("end", how).timer().count();
  }

  @Test
  void countsWaitsAndHolds() throws Exception {
    try (Lease lease = client.lock("plain").acquire()) {
      assertThat(gauge("testudo.lock.held")).isEqualTo(1);
      assertThat(gauge("testudo.lock.waiters")).isZero();
    }
    assertThat(acquired("acquired")).isEqualTo(1);
    assertThat(ended("released")).isEqualTo(1);
    assertThat(ended("lost")).isZero();
    assertThat(gauge("testudo.lock.held")).isZero();
  }

  @Test
  void countsThoseWhoWaitAndThoseWhoGoAway() throws Exception {
    try (Lease theirs = other.lock("waits").acquire()) {
      assertThat(client.lock("waits").tryAcquire()).isEmpty();
      assertThat(acquired("busy")).isEqualTo(1);
      CompletableFuture<Lease> waits = client.lock("waits").acquireAsync();
      assertThat(gauge("testudo.lock.waiters")).isEqualTo(1);
      waits.cancel(false);
      assertThat(gauge("testudo.lock.waiters")).isZero();
      assertThat(acquired("withdrawn")).isEqualTo(1);
    }
  }

  @Test
  void countsLosses() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    client
        .lock("lost", LockOptions.standard().withHold(Duration.ofMillis(20)).withoutAutoRenewal())
        .acquire()
        .onLost(lost::countDown);
    assertThat(lost.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(ended("lost")).isEqualTo(1);
    assertThat(gauge("testudo.lock.held")).isZero();
  }

  @Test
  void countsRetriesAndSuspicions() {
    TestudoClient told = mock();
    when(told.principal()).thenReturn("bob");
    new TestudoMeters(told).bindTo(registry);
    ArgumentCaptor<ClientListener> listener = ArgumentCaptor.captor();
    verify(told).listen(listener.capture());
    listener.getValue().retried("any");
    listener.getValue().suspected("s2", "shows a rank with a forged seal");
    listener.getValue().suspected("s2", "shows a rank with a forged seal");
    assertThat(registry.get("testudo.lock.retries").tag("principal", "bob").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("testudo.server.suspicions").tag("server", "s2").counter().count())
        .isEqualTo(2);
  }

  @Test
  void aMeterThatIsClosedCountsNoMore() throws Exception {
    meters.close();
    client.lock("closed").acquire().close();
    assertThat(registry.find("testudo.lock.acquire").timer()).isNull();
  }
}
