package io.testudo.mutex.protocol;

import io.testudo.crypto.Seal;
import java.util.Optional;

/** How a client seals its ranks, and how it checks those of others. Deterministic. */
public interface RankSeals {
  /** The seal on a rank of this client, if it has a key for the lock. */
  Optional<Seal> seal(String lock, long time, long session);

  /** What a client thinks of another's seal. */
  Verdict check(String lock, SealedRank rank);

  /** What a seal proves. */
  enum Verdict {
    /** A client that may contend for the lock has this rank. */
    VALID,
    /** The key that made it is not known here, or there is no seal. */
    UNKNOWN,
    /** A client would not have made it. */
    FORGED
  }

  /** For clusters whose clients share no key: nothing is sealed and nothing proven. */
  static RankSeals none() {
    return new RankSeals() {
      @Override
      public Optional<Seal> seal(String lock, long time, long session) {
        return Optional.empty();
      }

      @Override
      public Verdict check(String lock, SealedRank rank) {
        return Verdict.UNKNOWN;
      }
    };
  }
}
