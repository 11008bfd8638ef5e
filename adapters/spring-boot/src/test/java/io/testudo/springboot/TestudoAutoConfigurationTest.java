package io.testudo.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.junit.TestudoClusterExtension;
import io.testudo.micrometer.TestudoMeters;
import io.testudo.mutex.Lease;
import io.testudo.quorum.ConfigurationException;
import io.testudo.shedlock.TestudoLockProvider;
import io.testudo.springintegration.TestudoLockRegistry;
import io.testudo.springtx.TransactionLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** With Spring Boot's own runner of contexts. */
class TestudoAutoConfigurationTest {
  /** A hang guard, not an expectation. */
  private static final long GUARD_SECONDS = 60;

  @RegisterExtension
  private final TestudoClusterExtension servers = TestudoClusterExtension.of(4, 1);

  private final ApplicationContextRunner contexts =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TestudoAutoConfiguration.class, TestudoAdaptersAutoConfiguration.class));

  private ApplicationContextRunner with(TestudoClient client) {
    return contexts.withBean(TestudoClient.class, () -> client);
  }

  @Test
  void doesNothingUnlessItIsToldHow() {
    contexts.run(
        context ->
            assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(TestudoClient.class)
                .doesNotHaveBean(LockRegistry.class)
                .doesNotHaveBean(LeaseDrain.class));
  }

  @Test
  void saysWhichFileIsMissing() {
    contexts
        .withPropertyValues("testudo.client-conf=missing/client.conf")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining(ConfigurationException.class.getName())
                    .hasRootCauseMessage("missing/client.conf"));
  }

  @Test
  void hasAnAdapterForWhatIsOnTheClassPath(TestudoClient client) {
    with(client)
        .withBean(OpenTelemetry.class, OpenTelemetry::noop)
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(TestudoLockRegistry.class)
                  .hasSingleBean(TestudoLockProvider.class)
                  .hasSingleBean(TransactionLocks.class)
                  .hasSingleBean(TestudoMeters.class)
                  .hasBean("testudoLockSpans")
                  .hasBean("testudoHealthIndicator");
              context.getBean(LockRegistry.class).executeLocked("key", () -> {});
            });
  }

  @Test
  void leavesOutWhatIsNotThere(TestudoClient client) {
    with(client)
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.integration",
                "net.javacrumbs.shedlock",
                "io.micrometer",
                "io.opentelemetry",
                "io.testudo.springtx",
                "org.springframework.boot.actuate"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(LeaseDrain.class)
                    .doesNotHaveBean("testudoLockRegistry")
                    .doesNotHaveBean("testudoLockProvider")
                    .doesNotHaveBean("testudoMeters")
                    .doesNotHaveBean("testudoHealthIndicator"));
  }

  @Test
  void leavesTheApplicationsOwnAlone(TestudoClient client) {
    with(client)
        .withBean(DefaultLockRegistry.class)
        .withPropertyValues("management.health.testudo.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(LockRegistry.class)
                    .doesNotHaveBean(TestudoLockRegistry.class)
                    .doesNotHaveBean("testudoHealthIndicator")
                    .hasSingleBean(LockProvider.class));
  }

  @Test
  void namesLocksAsPropertiesSay(TestudoCluster cluster, TestudoClient client) {
    with(client)
        .withPropertyValues("testudo.lock-registry.prefix=app/")
        .run(
            context -> {
              Lock lock = context.getBean(LockRegistry.class).obtain("key");
              lock.lock();
              try {
                assertThat(cluster.client().lock("app/key").tryAcquire()).isEmpty();
              } finally {
                lock.unlock();
              }
            });
  }

  @Test
  void isHealthyAsLongAsTheClusterIs(TestudoCluster cluster, TestudoClient client) {
    with(client)
        .run(
            context -> {
              TestudoHealthIndicator indicator = context.getBean(TestudoHealthIndicator.class);
              assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
              cluster.stop(3);
              Health oneLess = indicator.health();
              assertThat(oneLess.getStatus()).isEqualTo(Status.UP);
              assertThat(oneLess.getDetails()).containsEntry("s3", "SILENT");
              cluster.stop(2);
              assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void waitsForHoldersBeforeItEnds(TestudoClient client) throws Exception {
    LeaseDrain drain = new LeaseDrain(client, Duration.ofSeconds(GUARD_SECONDS));
    drain.start();
    Lease lease = client.lock("held").acquire();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    drain.stop(() -> ended.complete(null));
    assertThat(ended).isNotDone();
    lease.close();
    ended.get(GUARD_SECONDS, TimeUnit.SECONDS);
    assertThat(drain.isRunning()).isFalse();
  }

  @Test
  void doesNotWaitForHoldersWhoDoNotEnd(TestudoClient client) throws Exception {
    LeaseDrain drain = new LeaseDrain(client, Duration.ofMillis(1));
    drain.start();
    try (Lease lease = client.lock("held").acquire()) {
      CompletableFuture<Void> ended = new CompletableFuture<>();
      drain.stop(() -> ended.complete(null));
      ended.get(GUARD_SECONDS, TimeUnit.SECONDS);
      assertThat(lease.isHeld()).isTrue();
    }
  }
}
