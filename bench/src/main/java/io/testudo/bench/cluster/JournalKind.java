package io.testudo.bench.cluster;

import java.util.Locale;

/** What servers keep of what they promise. */
public enum JournalKind {
  /** In memory: nothing survives the process. */
  OFF,

  /** In files without a sync: survives the process, not the loss of power. */
  NOSYNC,

  /** In files, synced before any answer. */
  SYNC;

  /** As in options and rows. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
