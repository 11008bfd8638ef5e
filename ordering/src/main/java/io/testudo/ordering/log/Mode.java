package io.testudo.ordering.log;

import io.testudo.quorum.Need;
import io.testudo.quorum.Need.RankRefusals;

/** How much of what clients say is sealed, and so how many servers it takes. */
public enum Mode {
  /** Nothing is sealed. */
  PLAIN(
      Need.ofLiars(
              "plain",
              2,
              2,
              Need.Size.LARGEST,
              "Ordering without seals: b+1 correct servers carry a state from one quorum to the"
                  + " next, and a ballot outlives b silent servers and b that refuse its rank"
                  + " (Chockler, Malkhi, Reiter 2001, section 5).")
          .counting(RankRefusals.VOUCHED, true)),
  /** Ranks are: no server can invent a refusal. */
  SEALED_RANKS(
      Need.ofLiars(
              "sealed-ranks",
              2,
              1,
              Need.Size.LARGEST,
              "Ordering with sealed ranks: as plain, but no server can invent a refusal (Chockler,"
                  + " Malkhi, Reiter 2001, section 5).")
          .counting(RankRefusals.SEALED, true)),
  /** Operations, proposals and commits are: servers can only withhold and repeat. */
  SEALED_STATEMENTS(
      Need.ofLiars(
              "sealed-statements",
              1,
              1,
              Need.Size.LARGEST,
              "Ordering with sealed statements: one correct server carries a state to the next"
                  + " quorum, because liars can only withhold or repeat (beyond Chockler, Malkhi,"
                  + " Reiter 2001).")
          .counting(RankRefusals.SEALED, false));

  @SuppressWarnings("ImmutableEnumChecker") // A record of numbers, names and other enums.
  private final Need need;

  Mode(Need need) {
    this.need = need;
  }

  public Need need() {
    return need;
  }

  public boolean sealsRanks() {
    return this != PLAIN;
  }

  public boolean sealsStatements() {
    return this == SEALED_STATEMENTS;
  }
}
