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
  BACKOFF(ImmutableList.of(Need.LOCK_ALL_SERVERS, Need.LOCK_QUORUMS)) {
    @Override
    LockBackend backend() {
      return new BackoffBackend(LockTiming.standard());
    }
  },

  SIGMA(ImmutableList.of(Need.SIGMA)) {
    @Override
    LockBackend backend() {
      return new SigmaBackend(LockTiming.standard());
    }
  },

  STRAWMAN(ImmutableList.of(Need.SIGMA)) {
    @Override
    LockBackend backend() {
      return new StrawmanBackend(LockTiming.standard());
    }
  };

  private final ImmutableList<Need> needs;

  LockProtocol(ImmutableList<Need> needs) {
    this.needs = needs;
  }

  abstract LockBackend backend();

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
