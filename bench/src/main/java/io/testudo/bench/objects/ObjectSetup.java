package io.testudo.bench.objects;

import io.testudo.bench.floor.Connections;
import io.testudo.ordering.protocol.Mode;
import io.testudo.quorum.Thresholds;
import java.util.Locale;

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
    SealKeys seals,
    JournalKind journal,
    int stateBytes,
    Connections sharing) {
  String modeName() {
    return mode.need().modeName();
  }

  boolean isSealed() {
    return mode != Mode.PLAIN;
  }

  String sharingWord() {
    return sharing.name().toLowerCase(Locale.ROOT);
  }
}
