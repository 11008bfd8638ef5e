package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Seal;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How far ranks that servers report move a client, and what it costs to find out. */
class HorizonTest {
  private static final String NAME = "printer";
  private static final ServerId LIAR = new ServerId(3);
  private static final Moment NOW = new Moment(7, 1_000);
  private static final long FAR = RankClock.atWall(3_600_000);

  private int checks;
  private final RankClock clock = new RankClock();

  private Horizon horizonThatFinds(RankSeals.Verdict verdict) {
    return horizonThatFinds(verdict, BackoffProtocol.ALL_SERVERS);
  }

  private Horizon horizonThatFinds(RankSeals.Verdict verdict, Need need) {
    RankSeals counting =
        new RankSeals() {
          @Override
          public Optional<Seal> seal(String lock, long time, long session) {
            return Optional.empty();
          }

          @Override
          public Verdict check(String lock, SealedRank rank) {
            checks++;
            return verdict;
          }
        };
    return new Horizon(clock, counting, 1_000, need.thresholds(need.leastServers(1), 1));
  }

  private static SealedRank rank(long time) {
    return new SealedRank(time, 9, Optional.empty());
  }

  @Test
  void checksFewSealsOfAServerAndThoseOfOthersAllTheSame() {
    for (RankSeals.Verdict verdict : RankSeals.Verdict.values()) {
      checks = 0;
      Horizon horizon = horizonThatFinds(verdict);
      for (int i = 0; i < 10_000; i++) {
        boolean unused = horizon.hear(LIAR, NAME, rank(FAR + i), NOW);
      }
      assertThat(checks).as("%s", verdict).isEqualTo(Horizon.MAX_CHECKS);
      boolean unused = horizon.hear(new ServerId(0), NAME, rank(FAR), NOW);
      assertThat(checks).isEqualTo(Horizon.MAX_CHECKS + 1);
      unused = horizon.hear(LIAR, NAME, rank(FAR), new Moment(1_000_000_007, 2_000));
      assertThat(checks).as("checks again after a second").isEqualTo(Horizon.MAX_CHECKS + 2);
    }
  }

  @Test
  void neitherBelievesNorAccusesWhatItDidNotCheck() {
    Horizon horizon = horizonThatFinds(RankSeals.Verdict.FORGED);
    for (int i = 0; i < Horizon.MAX_CHECKS; i++) {
      assertThat(horizon.hear(LIAR, NAME, rank(FAR), NOW)).isFalse();
    }
    assertThat(horizon.hear(LIAR, NAME, rank(FAR), NOW)).isTrue();
    assertThat(clock.next(NAME, NOW, Entropy.seeded(1))).isLessThan(FAR);
  }

  static Stream<Need> needsWithLiars() {
    return Stream.of(
        Need.PING, BackoffProtocol.ALL_SERVERS, BackoffProtocol.QUORUMS, SigmaProtocol.HARDENED);
  }

  /** A rank at the end of all times would be the last one of its name. */
  @ParameterizedTest
  @MethodSource("needsWithLiars")
  void isPushedByNoSingleServerWithASealThatCannotBeChecked(Need need) {
    Horizon horizon = horizonThatFinds(RankSeals.Verdict.UNKNOWN, need);
    assertThat(horizon.hear(LIAR, NAME, rank(RankClock.MAX_TIME), NOW)).isTrue();
    assertThat(clock.next(NAME, NOW, Entropy.seeded(1))).isLessThan(FAR);

    assertThat(horizon.hear(new ServerId(0), NAME, rank(FAR), NOW)).isTrue();
    assertThat(clock.next(NAME, NOW, Entropy.seeded(1)))
        .isGreaterThan(FAR)
        .isLessThan(RankClock.MAX_TIME);
  }
}
