package io.testudo.ordering.typed;

import io.testudo.ordering.ValueReader;
import io.testudo.quorum.Bytes;
import java.util.Optional;

/**
 * An effect, taken apart: what it says of the object as a whole, and the rest.
 *
 * @param isAnew whether nothing was left of the object before the rest
 * @param life that it has from then on, if the effect says so
 * @param own an effect of its type; may be empty
 */
record LifeEffect(boolean isAnew, Optional<Life> life, Bytes own) {
  /** Takes one apart; empty if something in it is unknown here. */
  static Optional<LifeEffect> read(Bytes effect) {
    boolean isAnew = false;
    Optional<Life> life = Optional.empty();
    Bytes rest = effect;
    while (!rest.isEmpty()) {
      ValueReader in = new ValueReader(rest);
      if (in.readLong() != LifeOperations.ANY_TYPE) {
        break;
      }
      switch (Math.toIntExact(in.readLong())) {
        case LifeOperations.DELETED, LifeOperations.ENDED -> isAnew = true;
        case LifeOperations.LIFE -> life = Optional.of(Life.read(in));
        default -> {
          return Optional.empty();
        }
      }
      rest = in.readRest();
    }
    return Optional.of(new LifeEffect(isAnew, life, rest));
  }
}
