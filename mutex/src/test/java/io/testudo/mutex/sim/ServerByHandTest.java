package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.ByHand.LONGEST_SERVER_LEASE_NANOS;
import static io.testudo.mutex.sim.ByHand.MILLI;
import static io.testudo.mutex.sim.ByHand.TIMING;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.GiveBack;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Prolong;
import io.testudo.mutex.backoff.RankCeiling;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a server grants and what not, rule by rule. */
class ServerByHandTest {
  private static final ClientId ANN = new ClientId("ann", 1, 1);
  private static final ClientId BOB = new ClientId("bob", 2, 1);
  private static final long LEASE_NANOS = TIMING.maxLeaseNanos();

  private final ByHand hands = new ByHand();
  private final ByHand.Server server = hands.servers.get(0);

  /** A rank that is so far behind the first one. */
  private static long time(long after) {
    return RankClock.atWall(1_700_000_000_000L) + after;
  }

  private Message trying(ClientId who, long time, long number, boolean joins) {
    List<Message> answers =
        server.hear(who, new Try("a", 0, time(time), Optional.empty(), LEASE_NANOS, number, joins));
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private Message trying(ClientId who, long time) {
    return trying(who, time, 1, false);
  }

  @Test
  void keepsALockForOneUntilTheLastInstantOfItsLease() {
    assertThat(trying(ANN, 1)).isEqualTo(new Free("a", 0, time(1), 1));
    hands.pass(LONGEST_SERVER_LEASE_NANOS);
    assertThat(trying(BOB, 2)).isInstanceOf(Locked.class);
    hands.pass(1);
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void neitherProlongsAGrantForADuplicateNorNamesANewerRequest() {
    trying(ANN, 1, 1, true);
    hands.pass(100 * MILLI);
    assertThat(trying(ANN, 1, 2, true)).isEqualTo(new Free("a", 0, time(1), 1));
    hands.pass(LONGEST_SERVER_LEASE_NANOS - 100 * MILLI + 1);
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void refusesALeaseThatIsTooLongRatherThanShortenIt() {
    assertThat(
            server.hear(ANN, new Try("a", 0, time(1), Optional.empty(), LEASE_NANOS + 1, 1, false)))
        .containsExactly(
            new Refused(time(1), Refused.Reason.LEASE_TOO_LONG, TIMING.maxLeaseNanos()));
    assertThat(trying(ANN, 1)).isInstanceOf(Free.class);
    assertThat(server.hear(ANN, new Prolong("a", 0, time(1), LEASE_NANOS + 1, 2)))
        .containsExactly(
            new Refused(time(1), Refused.Reason.LEASE_TOO_LONG, TIMING.maxLeaseNanos()));
  }

  @Test
  void doesNotShortenAGrantByARenewal() {
    trying(ANN, 1);
    server.hear(ANN, new Prolong("a", 0, time(1), MILLI, 2));
    hands.pass(LONGEST_SERVER_LEASE_NANOS);
    assertThat(trying(BOB, 2)).isInstanceOf(Locked.class);
  }

  @Test
  void prolongsAGrantByARenewal() {
    trying(ANN, 1);
    hands.pass(100 * MILLI);
    assertThat(server.hear(ANN, new Prolong("a", 0, time(1), LEASE_NANOS, 2)))
        .containsExactly(new Free("a", 0, time(1), 2));
    hands.pass(LONGEST_SERVER_LEASE_NANOS);
    assertThat(trying(BOB, 2)).isInstanceOf(Locked.class);
    hands.pass(1);
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void freesALockOnlyForTheAttemptThatOwnsIt() {
    trying(ANN, 5);
    server.hear(ANN, new GiveBack("a", 0, time(4)));
    server.hear(ANN, new GiveBack("a", 0, time(6)));
    server.hear(ANN, new GiveBack("a", 1, time(5)));
    server.hear(BOB, new GiveBack("a", 0, time(5)));
    server.hear(ANN, new GiveBack("b", 0, time(5)));
    assertThat(trying(BOB, 7)).isInstanceOf(Locked.class);
    server.hear(ANN, new GiveBack("a", 0, time(5)));
    assertThat(trying(BOB, 7)).isInstanceOf(Free.class);
  }

  @Test
  void doesNotMakeOthersStaleWhenSomebodyWithdraws() {
    trying(ANN, 1);
    server.hear(ANN, new GiveBack("a", 0, time(1)));
    server.hear(ANN, new GiveBack("a", 0, time(1_000)));
    assertThat(trying(BOB, 2)).isInstanceOf(Free.class);
  }

  @Test
  void doesNotGrantWhatWasWithdrawnBeforeItArrived() {
    trying(ANN, 1);
    server.hear(ANN, new GiveBack("a", 0, time(1)));
    server.hear(ANN, new GiveBack("a", 0, time(3)));
    assertThat(trying(ANN, 3)).isInstanceOf(Stale.class);
    assertThat(trying(ANN, 4)).isInstanceOf(Free.class);
  }

  @Test
  void grantsOnlyWhatIsAboveTheLastRank() {
    trying(ANN, 5);
    server.hear(ANN, new GiveBack("a", 0, time(5)));
    assertThat(trying(BOB, 4)).isInstanceOf(Stale.class);
    assertThat(trying(BOB, 5)).isInstanceOf(Stale.class);
    assertThat(trying(BOB, 6)).isInstanceOf(Free.class);
  }

  @Test
  void doesNotLetWaitNorCallOneWhoseRankIsTooLow() {
    trying(ANN, 5);
    assertThat(trying(BOB, 4, 1, true)).isInstanceOf(Stale.class);
    assertThat(server.hear(ANN, new GiveBack("a", 0, time(5)))).isEmpty();
  }

  @Test
  void callsTheLowestRankFirst() {
    trying(ANN, 1);
    trying(BOB, 9, 1, true);
    ClientId carl = new ClientId("carl", 3, 1);
    trying(carl, 8, 4, true);
    assertThat(server.hear(ANN, new GiveBack("a", 0, time(1))))
        .containsExactly(new Free("a", 0, time(8), 4));
  }

  @Test
  void grantsNothingAfterARestartUntilAllThatItMayHaveGrantedIsOver() {
    trying(ANN, 1);
    server.restart();
    hands.pass(LONGEST_SERVER_LEASE_NANOS);
    long aboveCeiling = RankClock.ofMillis(2_000);
    assertThat(trying(BOB, aboveCeiling)).isInstanceOf(Locked.class);
    assertThat(server.hear(ANN, new Prolong("a", 0, time(1), LEASE_NANOS, 2)))
        .first()
        .isInstanceOf(Locked.class);
    hands.pass(1);
    assertThat(trying(BOB, aboveCeiling)).isInstanceOf(Free.class);
  }

  @Test
  void goesOnAboveItsRanksAfterARestartWhateverItsClockSays() {
    long ahead = RankClock.ofMillis(3_600_000);
    trying(ANN, ahead);
    assertThat(server.disk).anyMatch(kept -> isAtLeast(kept, time(ahead)));
    server.restart();
    hands.pass(LONGEST_SERVER_LEASE_NANOS + 1);
    assertThat(trying(BOB, ahead)).isInstanceOf(Stale.class);
    assertThat(trying(BOB, ahead + RankClock.ofMillis(1_001))).isInstanceOf(Free.class);
  }

  private static boolean isAtLeast(Object kept, long time) {
    return kept instanceof RankCeiling ceiling && ceiling.time() >= time;
  }
}
