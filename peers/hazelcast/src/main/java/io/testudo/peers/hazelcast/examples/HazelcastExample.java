package io.testudo.peers.hazelcast.examples;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.lock.FencedLock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Hazelcast's lock and counter, of its CP subsystem. */
final class HazelcastExample {
  private HazelcastExample() {}

  static boolean lock(HazelcastInstance client, LongConsumer work) {
    // [lock]
    FencedLock lock = client.getCPSubsystem().getLock("orders");
    long token = lock.tryLockAndGetFence(5, TimeUnit.SECONDS);
    if (token == FencedLock.INVALID_FENCE) {
      return false;
    }
    try {
      work.accept(token);
      return true;
    } finally {
      lock.unlock();
    }
    // [end]
  }

  static long count(HazelcastInstance client) {
    // [count]
    return client.getCPSubsystem().getAtomicLong("visits").incrementAndGet();
    // [end]
  }
}
