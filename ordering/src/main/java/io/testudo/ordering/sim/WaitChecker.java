package io.testudo.ordering.sim;

import io.testudo.quorum.sim.Violation;

/**
 * How long operations take. Where nothing goes wrong and nobody lies, clients that share an object
 * settle who orders without waiting: whoever loses patience has waited for a timer to run out.
 */
final class WaitChecker {
  private final long patienceNanos;
  private boolean isQuiet;

  /**
   * Makes a checker.
   *
   * @param patienceNanos the least that a client waits for another to order its operations
   */
  WaitChecker(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Nothing goes wrong in this run. */
  void expectQuiet() {
    isQuiet = true;
  }

  /** An operation has ended that began so long ago. */
  void ended(long nanos) {
    if (isQuiet && nanos >= patienceNanos) {
      throw Violation.liveness(
          "nothing is wrong, and an operation took %d ms".formatted(nanos / 1_000_000));
    }
  }
}
