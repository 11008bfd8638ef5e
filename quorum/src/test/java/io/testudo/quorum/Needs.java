package io.testudo.quorum;

import io.testudo.quorum.Need.RankRefusals;
import io.testudo.quorum.Need.Size;
import java.util.stream.Stream;

/** Needs with the measures of all protocols, which declare their own in modules above. */
enum Needs {
  PING(Need.PING),
  LOCK_ALL_SERVERS(Need.ofLiars("all-servers", 1, 1, Size.SMALLEST, "A lock (2001).")),
  LOCK_QUORUMS(Need.ofLiars("quorums", 3, 1, Size.LARGEST, "Quorums (2001).").askingOneQuorum()),
  ORDER_PLAIN(
      Need.ofLiars("plain", 2, 2, Size.LARGEST, "An order (2001).")
          .counting(RankRefusals.VOUCHED, true)),
  ORDER_SEALED_RANKS(
      Need.ofLiars("sealed-ranks", 2, 1, Size.LARGEST, "Sealed ranks (2001).")
          .counting(RankRefusals.SEALED, true)),
  ORDER_SEALED_STATEMENTS(
      Need.ofLiars("sealed-statements", 1, 1, Size.LARGEST, "Sealed statements (2001).")
          .counting(RankRefusals.SEALED, false)),
  SIGMA(Need.ofForgetful("sigma", 1, 1, Size.TWO_THIRDS, "Sigma (2004).")),
  SIGMA_HARDENED(Need.ofLiars("sigma-hardened", 1, 1, Size.TWO_THIRDS, "Liars (2005)."));

  @SuppressWarnings("ImmutableEnumChecker") // A record of numbers, names and other enums.
  private final Need need;

  Needs(Need need) {
    this.need = need;
  }

  Need need() {
    return need;
  }

  static Need[] all() {
    return Stream.of(values()).map(Needs::need).toArray(Need[]::new);
  }

  static Needs of(Need need) {
    return Stream.of(values()).filter(one -> one.need.equals(need)).findFirst().orElseThrow();
  }
}
