package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.ByHand.LONGEST_SERVER_LEASE_NANOS;
import static io.testudo.mutex.sim.ByHand.TIMING;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.GiveBack;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one contender can do to another at one server, and what a restart does to both. */
class ServerByHandTest {
  private static final ClientId ANN = new ClientId("ann", 1, 1);
  private static final ClientId BOB = new ClientId("bob", 2, 1);

  private final ByHand hands = new ByHand();
  private final ByHand.Server server = hands.servers.get(0);

  /** A rank that is so far behind the first one. */
  private static long time(long after) {
    return RankClock.atWall(1_700_000_000_000L) + after;
  }

  private Message trying(ClientId who, long time) {
    Try request = new Try("a", 0, time(time), Optional.empty(), TIMING.maxLeaseNanos(), 1, false);
    List<Message> answers = server.hear(who, request);
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  @Test
  void doesNotMakeOthersStaleWhenSomebodyWithdraws() {
    trying(ANN, 1);
    server.hear(ANN, new GiveBack("a", 0, time(1)));
    server.hear(ANN, new GiveBack("a", 0, time(1_000)));
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void goesOnAboveItsRanksAfterARestartThoughItsClockIsFarBehindThem() {
    long ahead = RankClock.ofMillis(3_600_000);
    assertThat(trying(ANN, ahead)).isInstanceOf(Free.class);
    server.restart();
    hands.pass(LONGEST_SERVER_LEASE_NANOS + 1);
    assertThat(trying(BOB, ahead)).isInstanceOf(Stale.class);
    assertThat(trying(BOB, ahead + RankClock.ofMillis(1_001))).isInstanceOf(Free.class);
  }
}
