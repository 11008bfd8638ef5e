package io.testudo.mutex.sim;

import static io.testudo.mutex.sim.VirtualCluster.MILLI;
import static io.testudo.mutex.sim.VirtualCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.backoff.BackoffClient;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.BackoffTuning;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.sim.VirtualCluster.Answers;
import io.testudo.mutex.sim.VirtualCluster.Contender;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever wants a lock gets it, whatever one server does and however slow messages are. */
class BackoffProgressTest {
  private static final LockTiming TIMING = LockTiming.standard();

  private final VirtualCluster cluster = new VirtualCluster(4, () -> new BackoffServer(TIMING));
  private final List<Contender> contenders = new ArrayList<>();

  private Contender contender(String lock, long holdNanos, long stayNanos) {
    long session = contenders.size() + 1L;
    Contender contender =
        cluster
        .new Contender(
            new ClientId("c" + session, session, 1),
            new BackoffClient(
                BackoffProtocol.ALL_SERVERS.thresholds(4, 1),
                TIMING,
                BackoffTuning.standard(),
                session,
                RankSeals.none(),
                Entropy.seeded(session)),
            lock,
            holdNanos,
            stayNanos);
    contenders.add(contender);
    return contender;
  }

  private List<Contender> contend(int count, long holdNanos, long stayNanos) {
    for (int i = 0; i < count; i++) {
      contender("a", holdNanos, stayNanos).begin(i * MILLI);
    }
    return contenders;
  }

  @Test
  void nobodyStarvesBecauseOneServerCallsHimStale() {
    ClientId victim = contend(6, 10 * SECOND, 200 * MILLI).get(0).id;
    cluster.servers.get(3).lies(onlyTo(victim, 1));
    cluster.run(600 * SECOND);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 60 * SECOND);
    assertThat(contenders.get(0).entries).isGreaterThan(20);
  }

  @Test
  void nobodyStarvesBecauseOneServerShowsHimRanksAheadOfTheClock() {
    ClientId victim = contend(6, 10 * SECOND, 200 * MILLI).get(0).id;
    long skew = RankClock.ofMillis(TIMING.maxSkewMillis() - 1_000);
    cluster.servers.get(3).lies(onlyTo(victim, skew));
    cluster.run(600 * SECOND);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 120 * SECOND);
  }

  /** Says STALE to one contender, with a rank so far above its own, and the truth to others. */
  private static Answers onlyTo(ClientId victim, long above) {
    return (to, asked, honest) ->
        to.equals(victim) && asked instanceof Try request
            ? List.of(
                new Stale(
                    request.time(), request.number(), SealedRank.unsealed(request.time() + above)))
            : honest;
  }

  @Test
  void nobodyStarvesBecauseOneServerIsAlwaysLockedToHim() {
    ClientId victim = contend(6, 10 * SECOND, 200 * MILLI).get(0).id;
    cluster
        .servers
        .get(3)
        .lies(
            (to, asked, honest) ->
                to.equals(victim) && asked instanceof Try request
                    ? List.of(
                        new Locked(
                            request.time(), request.number(), Long.MAX_VALUE, SealedRank.NONE))
                    : honest);
    cluster.run(600 * SECOND);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 60 * SECOND);
  }

  @Test
  void everybodyEntersThoughMessagesAreManyTimesSlowerThanTheyShouldBe() {
    contend(8, 10 * SECOND, 50 * MILLI);
    long slowest = 8 * TIMING.delayNanos();
    cluster.delay(entropy -> slowest / 4 + entropy.nextLong(slowest));
    cluster.run(900 * SECOND);
    assertThat(contenders).allMatch(each -> each.entries > 10);
    assertThat(contenders).allMatch(each -> each.longestWaitNanos() < 120 * SECOND);
  }

  @Test
  void oneThatTriesWhileMessagesAreSlowEntersAtTheSecondTryAtLatest() {
    Contender alone = contender("a", TIMING.maxHoldNanos(), 50 * MILLI).begin(0);
    cluster.delay(entropy -> 6 * TIMING.delayNanos());
    cluster.run(10 * SECOND);
    assertThat(alone.entries).isPositive();
  }

  @Test
  void aClockFarAheadIsRefusedAndKeepsNobodyOutAfterARestart() {
    Contender ahead = contender("b", 10 * SECOND, 50 * MILLI).begin(0);
    ahead.wallAheadMillis = 3_600_000;
    cluster.run(SECOND);
    assertThat(ahead.failures).isNotEmpty().allMatch(it -> it instanceof LockRefusedException);
    assertThat(ahead.failures.get(0)).hasMessageContaining("clock of this process");
    cluster.servers.get(0).restart();
    cluster.servers.get(1).silent = true;
    Contender fair = contender("a", 10 * SECOND, 50 * MILLI).begin(0);
    cluster.run(60 * SECOND);
    assertThat(fair.entries).isPositive();
  }
}
