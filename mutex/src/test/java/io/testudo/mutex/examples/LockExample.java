package io.testudo.mutex.examples;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.FencedResource;
import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.client.LockCluster;

/** Four servers, of which one may lie, and a client that takes a lock. */
public class LockExample {
  public static void main(String[] args) throws InterruptedException {
    FencedResource<StringBuilder> journal = new FencedResource<>(new StringBuilder());
    try (LockCluster cluster = LockCluster.start(4, 1);
        LockClient client = cluster.client("alice")) {
      DistributedLock lock = client.lock("journal");
      try (Lease lease = lock.acquire()) {
        journal.use(lease.fencingToken(), text -> text.append("alice was here"));
        System.out.println(lease.isHeld() + ", for " + lease.remaining().toSeconds() + " s more");
      }
    }
  }
}
