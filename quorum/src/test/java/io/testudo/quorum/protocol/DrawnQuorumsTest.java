package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.GridQuorums;
import io.testudo.quorum.MGridQuorums;
import io.testudo.quorum.QuorumSystem;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.ThresholdQuorums;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DrawnQuorumsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ServerSet S3 = ServerSet.of(new ServerId(3));

  static Stream<QuorumSystem> systems() {
    return Stream.of(new ThresholdQuorums(16, 1, 9), GridQuorums.of(16, 1), MGridQuorums.of(25, 1));
  }

  @ParameterizedTest
  @MethodSource("systems")
  void allClientsDrawTheSameQuorumForAName(QuorumSystem system) {
    DrawnQuorums one = new DrawnQuorums(system);
    DrawnQuorums other = new DrawnQuorums(system);

    assertThat(one.of("orders", 5)).isEqualTo(other.of("orders", 7 * SECOND));
    assertThat(system.containsQuorum(one.of("orders", 5))).isTrue();
    assertThat(one.of("orders", 5).size()).isEqualTo(system.quorumSize());
  }

  @ParameterizedTest
  @MethodSource("systems")
  void namesSpreadTheLoadEvenly(QuorumSystem system) {
    DrawnQuorums draws = new DrawnQuorums(system);
    int[] asked = new int[system.servers()];
    int names = 20_000;
    for (int name = 0; name < names; name++) {
      draws.of("name-" + name, 0).forEach(server -> asked[server.index()]++);
    }
    for (int times : asked) {
      assertThat(times / (double) names).isBetween(system.load() - 0.02, system.load() + 0.02);
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void aServerThatWasLateIsAvoidedForAWhile(QuorumSystem system) {
    DrawnQuorums draws = new DrawnQuorums(system);
    draws.late(S3, 0);

    for (int name = 0; name < 200; name++) {
      assertThat(draws.of("name-" + name, SECOND - 1).contains(new ServerId(3))).isFalse();
    }
    assertThat(draws.avoided(SECOND)).isEqualTo(ServerSet.none());
  }

  @Test
  void oneThatIsLateAgainIsAvoidedForLonger() {
    DrawnQuorums draws = new DrawnQuorums(new ThresholdQuorums(4, 1, 3));
    draws.late(S3, 0);
    draws.late(S3, SECOND / 2); // Asked with all others, while it is avoided: that says no more.
    assertThat(draws.avoided(SECOND)).isEqualTo(ServerSet.none());

    draws.late(S3, SECOND);
    assertThat(draws.avoided(3 * SECOND - 1)).isEqualTo(S3);
    assertThat(draws.avoided(3 * SECOND)).isEqualTo(ServerSet.none());

    draws.inTime(S3, 3 * SECOND);
    draws.late(S3, 4 * SECOND);
    assertThat(draws.avoided(5 * SECOND)).isEqualTo(ServerSet.none());
  }

  @Test
  void anAnswerWhileItIsAvoidedForgivesNothing() {
    DrawnQuorums draws = new DrawnQuorums(new ThresholdQuorums(4, 1, 3));
    draws.late(S3, 0);
    draws.inTime(S3, 10);

    assertThat(draws.avoided(20)).isEqualTo(S3);
  }

  @Test
  void whenOneIsAvoidedTheOthersStay() {
    DrawnQuorums draws = new DrawnQuorums(new ThresholdQuorums(16, 1, 9));
    ServerSet before = draws.of("orders", 0);
    ServerId late = before.iterator().next();
    draws.late(ServerSet.of(late), 0);

    assertThat(draws.of("orders", 1).isSupersetOf(before.without(late))).isTrue();
    assertThat(draws.of("orders", 1).size()).isEqualTo(9);
  }

  @Test
  void moreAvoidedServersThanCanBeAreAskedAllTheSame() {
    DrawnQuorums draws = new DrawnQuorums(new ThresholdQuorums(4, 1, 3));
    draws.late(ServerSet.firstN(4), 0);

    assertThat(draws.of("orders", 1).size()).isEqualTo(3);
  }
}
