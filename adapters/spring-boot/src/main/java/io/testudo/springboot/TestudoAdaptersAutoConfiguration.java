package io.testudo.springboot;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.testudo.client.TestudoClient;
import io.testudo.micrometer.TestudoMeters;
import io.testudo.opentelemetry.LockSpans;
import io.testudo.shedlock.TestudoLockProvider;
import io.testudo.springintegration.TestudoLockRegistry;
import io.testudo.springtx.TransactionLocks;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** What is there for a client, of those adapters that the application has on its class path. */
@AutoConfiguration(
    after = TestudoAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
      "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration"
    },
    beforeName = "org.springframework.boot.autoconfigure.integration.IntegrationAutoConfiguration")
@ConditionalOnBean(TestudoClient.class)
public class TestudoAdaptersAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  LeaseDrain testudoLeaseDrain(TestudoClient client, TestudoProperties properties) {
    return new LeaseDrain(client, properties.shutdownWait());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({TestudoLockRegistry.class, LockRegistry.class})
  static class ForSpringIntegration {
    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    TestudoLockRegistry testudoLockRegistry(TestudoClient client, TestudoProperties properties) {
      return new TestudoLockRegistry(client, properties.lockRegistry().prefix(), null);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({TestudoLockProvider.class, LockProvider.class})
  static class ForShedLock {
    private static final Duration PATIENCE = Duration.ofMillis(200);

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(LockProvider.class)
    TestudoLockProvider testudoLockProvider(TestudoClient client, TestudoProperties properties) {
      return new TestudoLockProvider(client, properties.shedlock().prefix(), PATIENCE);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(TransactionLocks.class)
  static class ForTransactions {
    @Bean
    @ConditionalOnMissingBean
    TransactionLocks testudoTransactionLocks(TestudoClient client) {
      return new TransactionLocks(client);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({TestudoMeters.class, MeterRegistry.class})
  static class ForMicrometer {
    /** Boot binds it to every registry. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    TestudoMeters testudoMeters(TestudoClient client) {
      return new TestudoMeters(client);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({LockSpans.class, OpenTelemetry.class})
  @ConditionalOnBean(OpenTelemetry.class)
  static class ForOpenTelemetry {
    @Bean(destroyMethod = "close")
    TestudoClient.Registration testudoLockSpans(TestudoClient client, OpenTelemetry telemetry) {
      return client.listen(LockSpans.of(telemetry));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  @ConditionalOnProperty(name = "management.health.testudo.enabled", matchIfMissing = true)
  static class ForHealth {
    @Bean
    @ConditionalOnMissingBean(name = "testudoHealthIndicator")
    TestudoHealthIndicator testudoHealthIndicator(
        TestudoClient client, TestudoProperties properties) {
      return new TestudoHealthIndicator(client, properties.healthTimeout());
    }
  }
}
