package io.testudo.client.examples;

import io.testudo.client.TestudoClient;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/** What docs/coming-from.md shows beside the code of other libraries. */
final class ComingFromExample {
  private ComingFromExample() {}

  static boolean lock(TestudoClient client, LongConsumer work) throws InterruptedException {
    // [lock]
    Optional<Lease> lease = client.lock("orders").tryAcquire(Duration.ofSeconds(5));
    if (lease.isEmpty()) {
      return false;
    }
    try (Lease held = lease.get()) {
      work.accept(held.fencingToken());
      return true;
    }
    // [end]
  }

  static long count(TestudoClient client) {
    // [count]
    return client.counter("visits").increment().join();
    // [end]
  }

  static long lead(TestudoClient client) throws InterruptedException {
    // [lead]
    try (LeaderElection election = client.leaderElection("leader").start()) {
      Lease term = election.awaitLeadership();
      return term.fencingToken();
    }
    // [end]
  }
}
