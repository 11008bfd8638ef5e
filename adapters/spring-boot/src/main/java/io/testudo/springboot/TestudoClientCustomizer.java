package io.testudo.springboot;

import io.testudo.client.TestudoClientBuilder;

/** A bean that has a say in how the client is made, such as on which executor callbacks run. */
@FunctionalInterface
public interface TestudoClientCustomizer {
  /** Called after the properties were applied. */
  void customize(TestudoClientBuilder builder);
}
