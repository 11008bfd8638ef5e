package io.testudo.quorum.journal;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.runtime.FatalHandler;

/**
 * How a journal keeps its word.
 *
 * @param survives what a durable record survives
 * @param maxPendingBytes bytes that may wait in memory for the disk; an append beyond it waits
 * @param fatalHandler what ends the process when the disk fails
 */
public record JournalOptions(Survives survives, long maxPendingBytes, FatalHandler fatalHandler) {
  /** What may wait for the disk unless told otherwise. */
  public static final long DEFAULT_MAX_PENDING_BYTES = 64L << 20;

  /** What a record survives once its callback ran. */
  public enum Survives {
    /** Also the loss of power: every group of records is synced to the disk. */
    POWER_LOSS,
    /** The death of the process only: the operating system has the records, no sync is made. */
    PROCESS_DEATH
  }

  public JournalOptions {
    checkArgument(maxPendingBytes > 0, "maxPendingBytes must be positive: %s", maxPendingBytes);
  }

  /** Syncs, and halts the process when that fails. */
  public static JournalOptions defaults() {
    return new JournalOptions(Survives.POWER_LOSS, DEFAULT_MAX_PENDING_BYTES, FatalHandler.halt());
  }

  public JournalOptions withSurvives(Survives other) {
    return new JournalOptions(other, maxPendingBytes, fatalHandler);
  }

  public JournalOptions withMaxPendingBytes(long other) {
    return new JournalOptions(survives, other, fatalHandler);
  }

  public JournalOptions withFatalHandler(FatalHandler other) {
    return new JournalOptions(survives, maxPendingBytes, other);
  }
}
