package io.testudo.bench.objects;

import io.testudo.bench.floor.Connections;
import io.testudo.bench.report.RowFields;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Thresholds;

/**
 * One way to run an object.
 *
 * @param seals of no use where nothing is sealed
 * @param sharing shared: all clients are one session with one connection to each server; separate:
 *     each is a session of its own, with its own connections
 */
record ObjectSetup(
    Mode mode,
    Thresholds thresholds,
    SealKeyKind seals,
    JournalKind journal,
    int stateBytes,
    Connections sharing) {
  String modeName() {
    return mode.need().modeName();
  }

  boolean isSealed() {
    return mode != Mode.PLAIN;
  }

  /** What a row says of it. */
  RowFields fields(String caseName) {
    return new RowFields()
        .with("bench", "object")
        .with("case", caseName)
        .with("system", "testudo")
        .with("mode", modeName())
        .with("seals", isSealed() ? seals.word() : null)
        .with("journal", journal.word())
        .with("sharing", sharing.word())
        .with("stateBytes", stateBytes > 0 ? stateBytes : null)
        .with("servers", thresholds.servers())
        .with("byzantine", thresholds.faults());
  }
}
