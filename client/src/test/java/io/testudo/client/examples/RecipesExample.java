package io.testudo.client.examples;

import io.testudo.client.TestudoClient;
import io.testudo.client.TestudoCluster;
import io.testudo.client.recipes.Barrier;
import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.recipes.FencedSequence;
import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.LeadershipListener;
import io.testudo.client.recipes.ReadWriteLock;
import io.testudo.client.recipes.Semaphore;
import io.testudo.mutex.Lease;

/** Every recipe once, on four servers of which one may lie. */
public class RecipesExample {
  public static void main(String[] args) throws InterruptedException {
    try (TestudoCluster cluster = TestudoCluster.start(4, 1);
        TestudoClient client = cluster.client()) {
      Semaphore printers = client.semaphore("printers", 3);
      try (Lease permit = printers.acquire()) {
        System.out.println("prints with permit " + permit.fencingToken());
      }

      ReadWriteLock catalogue = client.readWriteLock("catalogue");
      try (Lease reader = catalogue.read().acquire()) {
        System.out.println("reads, as others may: " + reader.isHeld());
      }

      FencedSequence invoices = client.fencedSequence("invoices");
      try (LeaderElection election = client.leaderElection("billing")) {
        election.listen(
            new LeadershipListener() {
              @Override
              public void gained(Lease term) {
                System.out.println("invoice " + invoices.next(term.fencingToken()).join());
              }

              @Override
              public void lost(Lease term) {
                System.out.println("bills no longer");
              }
            });
        Lease term = election.start().awaitLeadership();
        invoices.fence(term.fencingToken()).join();
      }

      CountDownLatch ready = client.countDownLatch("ready", 1);
      ready.countDown("host-1").join();
      ready.await();

      Barrier round = client.barrier("round", 1);
      System.out.println("generation " + round.await());
    }
  }
}
