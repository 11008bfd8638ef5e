package io.testudo.bench.objects;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.report.RowFields;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.crypto.SealScheme;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.ordering.client.TurnsBy;
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
    SealScheme seals,
    JournalKind journal,
    int stateBytes,
    Connections sharing) {
  String modeName() {
    return mode.need().modeName();
  }

  /** What the members of its cluster agree on. */
  CommonSettings common() {
    return new CommonSettings(
        new LockSettings(
            LockSettings.DEFAULT_BACKEND,
            ImmutableSortedMap.of(),
            thresholds.faults(),
            LockTiming.standard()),
        mode,
        seals,
        TurnsBy.RANK);
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
        .with("seals", isSealed() ? seals.schemeName() : null)
        .with("journal", journal.word())
        .with("sharing", sharing.word())
        .with("stateBytes", stateBytes > 0 ? stateBytes : null)
        .with("servers", thresholds.servers())
        .with("byzantine", thresholds.faults());
  }
}
