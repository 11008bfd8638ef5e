package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.client.BackoffBackend;
import io.testudo.mutex.client.LockBackend;
import io.testudo.mutex.client.SigmaBackend;
import io.testudo.mutex.client.StrawmanBackend;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import java.util.Locale;

/** The backends that are measured, each with the usual time bounds. */
enum LockProtocol {
  BACKOFF(
      new BackoffBackend(LockTiming.standard()),
      ImmutableList.of(Need.LOCK_ALL_SERVERS, Need.LOCK_QUORUMS)),
  SIGMA(new SigmaBackend(LockTiming.standard()), ImmutableList.of(Need.SIGMA)),
  STRAWMAN(new StrawmanBackend(LockTiming.standard()), ImmutableList.of(Need.SIGMA));

  @SuppressWarnings("ImmutableEnumChecker") // All backends are records of settings.
  private final LockBackend backend;

  private final ImmutableList<Need> needs;

  LockProtocol(LockBackend backend, ImmutableList<Need> needs) {
    this.backend = backend;
    this.needs = needs;
  }

  LockBackend backend() {
    return backend;
  }

  /** The ways in which it asks servers, the usual one first. */
  ImmutableList<Need> needs() {
    return needs;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a cluster is told that may lie: nothing, where the faults are of another kind. */
  int liarsOf(Thresholds thresholds) {
    return this == BACKOFF ? thresholds.faults() : 0;
  }

  static LockOptions.Servers askedOf(Thresholds thresholds) {
    return thresholds.need() == Need.LOCK_QUORUMS
        ? LockOptions.Servers.QUORUM
        : LockOptions.Servers.ALL;
  }
}
