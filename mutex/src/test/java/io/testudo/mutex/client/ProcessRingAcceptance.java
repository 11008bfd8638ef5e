package io.testudo.mutex.client;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suite on a ring of processes, of which one is killed with its member while a test runs, and
 * one joins while another does.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProcessRingAcceptance extends LockAcceptance {
  private final String backend;
  private @Nullable ProcessRing ring;
  private CompletableFuture<Void> meanwhile = CompletableFuture.completedFuture(null);

  /** Those that have begun. */
  private int tests;

  ProcessRingAcceptance(String backend) {
    this.backend = backend;
  }

  @BeforeAll
  void startAll(@TempDir Path keys) throws Exception {
    ring = new ProcessRing(backend, 9, keys);
    ring().joinProcess();
  }

  @AfterAll
  void endAll() throws Exception {
    meanwhile.join();
    ring().close();
  }

  private ProcessRing ring() {
    return Objects.requireNonNull(ring, "it has not started");
  }

  @Override
  Servers newCluster() {
    tests++;
    if (tests == 3) {
      meanwhile = CompletableFuture.runAsync(ring()::killProcess);
    } else if (tests == 6) {
      meanwhile = CompletableFuture.runAsync(this::joinOne);
    }
    return ring().forOneTest();
  }

  private void joinOne() {
    try {
      ring().joinProcess();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
