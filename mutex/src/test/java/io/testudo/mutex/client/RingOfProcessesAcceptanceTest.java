package io.testudo.mutex.client;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suite on a ring of processes, of which one is killed with its member while a test runs, and
 * one joins while another does.
 */
class RingOfProcessesAcceptanceTest extends LockAcceptance {
  @TempDir static Path keys;

  private static ProcessRing ring;
  private static CompletableFuture<Void> meanwhile = CompletableFuture.completedFuture(null);

  /** Those that have begun. */
  private static int tests;

  @BeforeAll
  static void startAll() throws Exception {
    ring = new ProcessRing("sigma-dht", 9, keys);
    ring.joinProcess();
  }

  @AfterAll
  static void endAll() throws Exception {
    meanwhile.join();
    ring.close();
  }

  @Override
  Servers newCluster() {
    tests++;
    if (tests == 3) {
      meanwhile = CompletableFuture.runAsync(ring::killProcess);
    } else if (tests == 6) {
      meanwhile = CompletableFuture.runAsync(RingOfProcessesAcceptanceTest::joinOne);
    }
    return ring.forOneTest();
  }

  private static void joinOne() {
    try {
      ring.joinProcess();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
