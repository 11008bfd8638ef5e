package io.testudo.client.examples;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;

/** Four servers, of which one may lie, and a client that takes a lock. */
public class LockExample {
  public static void main(String[] args) throws InterruptedException {
    FencedResource<StringBuilder> journal = new FencedResource<>(new StringBuilder());
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      DistributedLock lock = client.lock("journal");
      try (Lease lease = lock.acquire()) {
        journal.use(lease.fencingToken(), text -> text.append("alice was here"));
        System.out.println(lease.isHeld() + ", for " + lease.remaining().toSeconds() + " s more");
      }
    }
  }
}
