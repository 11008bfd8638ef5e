package io.testudo.bench.locking;

/**
 * What the clients do.
 *
 * @param name of the output contract
 * @param locks that the clients take turns at
 */
record LockCase(String name, int clients, int locks) {
  static LockCase uncontended() {
    return new LockCase("uncontended", 1, 1);
  }

  static LockCase contended(int clients) {
    return new LockCase("contended", clients, 1);
  }

  /** Each client has a lock of its own. */
  static LockCase parallel(int clients) {
    return new LockCase("parallel", clients, clients);
  }
}
