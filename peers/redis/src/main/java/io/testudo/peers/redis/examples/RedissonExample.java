package io.testudo.peers.redis.examples;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;

/** Redisson's lock and counter. */
final class RedissonExample {
  private RedissonExample() {}

  static boolean lock(RedissonClient client, LongConsumer work) {
    // [lock]
    RFencedLock lock = client.getFencedLock("orders");
    Long token = lock.tryLockAndGetToken(5, TimeUnit.SECONDS);
    if (token == null) {
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

  static long count(RedissonClient client) {
    // [count]
    return client.getAtomicLong("visits").incrementAndGet();
    // [end]
  }
}
