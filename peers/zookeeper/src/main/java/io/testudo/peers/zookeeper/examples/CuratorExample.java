package io.testudo.peers.zookeeper.examples;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.atomic.AtomicValue;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's lock, counter and leader. */
final class CuratorExample {
  private CuratorExample() {}

  static boolean lock(CuratorFramework client, LongConsumer work) throws Exception {
    // [lock]
    InterProcessMutex lock = new InterProcessMutex(client, "/orders");
    if (!lock.acquire(5, TimeUnit.SECONDS)) {
      return false;
    }
    try {
      String node = lock.getParticipantNodes().iterator().next();
      // A token must be had by hand: the transaction in which the node was made.
      work.accept(client.checkExists().forPath(node).getCzxid());
      return true;
    } finally {
      lock.release();
    }
    // [end]
  }

  static long count(CuratorFramework client) throws Exception {
    // [count]
    DistributedAtomicLong visits =
        new DistributedAtomicLong(client, "/visits", new ExponentialBackoffRetry(100, 10));
    AtomicValue<Long> value = visits.increment();
    if (!value.succeeded()) {
      throw new IllegalStateException("too many others counted at the same time");
    }
    return value.postValue();
    // [end]
  }

  static void lead(CuratorFramework client) throws Exception {
    // [lead]
    try (LeaderLatch latch = new LeaderLatch(client, "/leader")) {
      latch.start();
      latch.await();
    }
    // [end]
  }
}
