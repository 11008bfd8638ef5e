package io.testudo.client.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is shown beside other libraries works. That the page shows it is a rule of the house. */
class ComingFromExampleTest {
  @Test
  @Timeout(120)
  void eachPartWorks() throws InterruptedException {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      AtomicLong token = new AtomicLong();
      assertThat(ComingFromExample.lock(client, token::set)).isTrue();
      assertThat(token).hasPositiveValue();
      assertThat(ComingFromExample.count(client)).isEqualTo(1);
      assertThat(ComingFromExample.lead(client)).isPositive();
    }
  }
}
