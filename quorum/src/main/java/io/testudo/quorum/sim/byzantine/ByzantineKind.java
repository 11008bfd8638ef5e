package io.testudo.quorum.sim.byzantine;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.testudo.quorum.spi.Entropy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The lies, each with the number it has in docs/simulator.md. Some need a protocol's {@link Forger}
 * to be told; the others work against any protocol.
 */
public enum ByzantineKind {
  EQUIVOCATE(1, "has a state of its own for each client"),
  STALE(2, "learns nothing more from some moment on"),
  WILD_NUMBER(3, "numbers that are huge, or equal with another value"),
  INVENT(4, "a value that nobody proposed"),
  EARLY_COMMIT(5, "claims what is not decided yet"),
  ALWAYS_LOCKED(6, "says locked, or names an owner that is none"),
  ALWAYS_FREE(7, "says free, to two at once"),
  NO_STORE(8, "acknowledges and does not store"),
  FORGET(9, "forgets everything, and recalls it later"),
  SILENT_TO_SOME(10, "never answers some clients"),
  EDGE_OF_TIME(11, "answers just before and just after it is too late"),
  TRICKLE(12, "takes a second for each byte"),
  REPLAY(13, "gives an old answer, or another client's"),
  BAD_MAC(14, "frames that the channel refuses"),
  WRONG_ID(15, "calls itself by another server's name"),
  FLOOD(16, "many answers to one question"),
  BAD_LENGTH(17, "lengths that are too long, or nested wrongly"),
  GARBAGE(18, "bytes that mean nothing, or of an unknown version"),
  FALSE_CLOCK(19, "a clock that jumps and runs wildly"),
  RESET(21, "breaks off in the middle of an answer"),
  TWINS(23, "runs twice under one name, each twin for a part of the clients"),
  SILENT(24, "says nothing at all"),
  VARIANTS(25, "says many variants of everything, long ones too"),
  STARVE(26, "keeps one client from what it wants, and is honest to all others"),
  ROLLED_BACK(27, "goes on from an old copy of its disk, as if nothing had happened"),
  LET_DOWN(28, "of some kinds of message, answers late, or only who asks again");

  private final int number;
  private final String meaning;

  ByzantineKind(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /** A lie of this kind for one run. */
  public ByzantineStrategy begin(Entropy entropy) {
    return switch (this) {
      case EQUIVOCATE -> StateStrategies.perClient();
      case STALE -> StateStrategies.frozen(entropy);
      case NO_STORE -> StateStrategies.careless();
      case FORGET -> StateStrategies.forgetful();
      case SILENT_TO_SOME -> MessageStrategies.silentToSome(entropy);
      case EDGE_OF_TIME -> MessageStrategies.slow();
      case TRICKLE -> MessageStrategies.trickle();
      case REPLAY -> MessageStrategies.replay();
      case BAD_MAC -> ByteStrategies.refused();
      case FLOOD -> MessageStrategies.flood(entropy);
      case BAD_LENGTH -> ByteStrategies.badLength();
      case GARBAGE -> ByteStrategies.garbage();
      case FALSE_CLOCK -> StateStrategies.falseClock(entropy);
      case RESET -> ByteStrategies.brokenOff();
      case TWINS -> StateStrategies.twins();
      case SILENT -> MessageStrategies.silent();
      case LET_DOWN -> MessageStrategies.letDown(entropy);
      case ROLLED_BACK -> new ByzantineStrategy() {};
      case VARIANTS -> MessageStrategies.variants(entropy);
      case WILD_NUMBER, INVENT, EARLY_COMMIT, ALWAYS_LOCKED, ALWAYS_FREE, WRONG_ID, STARVE ->
          MessageStrategies.forged(this, entropy);
    };
  }

  /** Whether it is only told where a hazard asks for it. */
  public boolean isForHazards() {
    return this == VARIANTS || this == STARVE || this == ROLLED_BACK;
  }

  /** Whether it is only told where clients ask one quorum first: who asks all does not notice. */
  public boolean isForQuorums() {
    return this == LET_DOWN;
  }

  public int number() {
    return number;
  }

  public String meaning() {
    return meaning;
  }

  /** All that are told in runs of any kind. */
  public static ImmutableSet<ByzantineKind> ordinary() {
    return Arrays.stream(values())
        .filter(kind -> !kind.isForHazards() && !kind.isForQuorums())
        .collect(Sets.toImmutableEnumSet());
  }

  /** What {@code --liar-kinds} takes. */
  public String flag() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<ByzantineKind> ofFlag(String flag) {
    return Arrays.stream(values()).filter(kind -> kind.flag().equals(flag)).findFirst();
  }
}
