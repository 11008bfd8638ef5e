package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.ByHand.MILLI;
import static io.testudo.mutex.sim.ByHand.QUARANTINE_NANOS;
import static io.testudo.mutex.sim.ByHand.TIMING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Release;
import io.testudo.mutex.backoff.Renew;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one contender can do to another at one server, and what a restart does to both. */
class ServerByHandTest {
  private static final ClientId ANN = new ClientId("ann", 1, 1);
  private static final ClientId BOB = new ClientId("bob", 2, 1);

  private static final RankSeals SEALS =
      GroupRankSeals.of(
          "cluster",
          Map.of("", SecretBytes.copyOf("a key of 32 bytes or a few more.".getBytes(UTF_8))));

  private final ByHand hands = new ByHand();
  private final ByHand.Server server = hands.servers.get(0);

  /** A rank that is so far behind the first one. */
  private static long time(long after) {
    return RankClock.atWall(1_700_000_000_000L) + after;
  }

  private Message trying(ClientId who, long time) {
    return trying(who, time, Optional.empty());
  }

  private Message trying(ClientId who, long time, Optional<Seal> seal) {
    Try request = new Try("a", 0, time(time), seal, TIMING.maxLeaseNanos(), 1, false);
    List<Message> answers = server.hear(who, request);
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  @Test
  void doesNotMakeOthersStaleWhenSomebodyWithdraws() {
    trying(ANN, 1);
    server.hear(ANN, new Release("a", 0, time(1)));
    server.hear(ANN, new Release("a", 0, time(1_000)));
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void goesOnAboveItsRanksAfterARestartThoughItsClockWasSetBackFarBehindThem() {
    long ahead = RankClock.ofMillis(3_600_000);
    server.wallAheadMillis = 3_600_000;
    assertThat(trying(ANN, ahead)).isInstanceOf(Free.class);
    server.wallAheadMillis = 0;
    server.restart();
    hands.pass(QUARANTINE_NANOS + 1);
    assertThat(trying(BOB, ahead)).isInstanceOf(Stale.class);
    assertThat(trying(BOB, ahead + RankClock.ofMillis(1_001))).isInstanceOf(Free.class);
  }

  @Test
  void passesOnTheSealOfARankEvenIfItsOwnClockIsFarAheadOfIt() {
    // The clocks of those who ask may be far behind, and then they believe no rank without proof.
    hands.pass(3_600_000 * MILLI);
    Optional<Seal> seal = SEALS.seal("a", time(1), ANN.session());
    trying(ANN, 1, seal);
    SealedRank last = new SealedRank(time(1), ANN.session(), seal);
    assertThat(trying(BOB, 2)).isInstanceOfSatisfying(Locked.class, it -> isLast(it.last(), last));
    server.hear(ANN, new Renew("a", 0, time(1), TIMING.maxLeaseNanos(), 2));
    hands.pass(QUARANTINE_NANOS + 1);
    server.hear(ANN, new Renew("a", 0, time(1), TIMING.maxLeaseNanos(), 3));
    assertThat(trying(BOB, 1)).isInstanceOfSatisfying(Stale.class, it -> isLast(it.last(), last));
  }

  private static void isLast(SealedRank shown, SealedRank last) {
    assertThat(shown).isEqualTo(last);
  }
}
