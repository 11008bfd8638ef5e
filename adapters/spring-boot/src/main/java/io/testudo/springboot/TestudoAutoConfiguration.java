package io.testudo.springboot;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoClientBuilder;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Makes the client, if {@code testudo.client-conf} says how and the application has none. */
@AutoConfiguration
@EnableConfigurationProperties(TestudoProperties.class)
public class TestudoAutoConfiguration {
  /** It does not wait for the servers. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  @ConditionalOnProperty("testudo.client-conf")
  TestudoClient testudoClient(
      TestudoProperties properties, ObjectProvider<TestudoClientCustomizer> customizers) {
    TestudoClientBuilder builder =
        TestudoClient.builder(Objects.requireNonNull(properties.clientConf()));
    properties.settings().forEach(builder::set);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.connect();
  }
}
