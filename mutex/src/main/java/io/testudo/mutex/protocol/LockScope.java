package io.testudo.mutex.protocol;

/**
 * Which names one lock protocol serves at a server. Two protocols on one name would mean two
 * holders.
 */
public interface LockScope {
  /** Whether this name is bound to the protocol. */
  boolean serves(String lock);

  /** All fencing tokens of this name must be above it. */
  long fenceFloor(String lock);

  /** All names, from the first token on. */
  static LockScope everything() {
    return new LockScope() {
      @Override
      public boolean serves(String lock) {
        return true;
      }

      @Override
      public long fenceFloor(String lock) {
        return 0;
      }
    };
  }
}
