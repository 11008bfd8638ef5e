package io.testudo.ordering.log;

import io.testudo.quorum.Need;

/** How much of what clients say is sealed, and so how many servers it takes. */
public enum Mode {
  /** Nothing is sealed. */
  PLAIN(Need.ORDER_PLAIN),
  /** Ranks are: no server can invent a refusal. */
  SEALED_RANKS(Need.ORDER_SEALED_RANKS),
  /** Operations, proposals and commits are: servers can only withhold and repeat. */
  SEALED_STATEMENTS(Need.ORDER_SEALED_STATEMENTS);

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
