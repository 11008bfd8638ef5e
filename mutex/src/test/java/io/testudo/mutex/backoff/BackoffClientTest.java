package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.HOLD;
import static io.testudo.mutex.backoff.ClientStage.LEASE;
import static io.testudo.mutex.backoff.ClientStage.LOCK;
import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static io.testudo.mutex.backoff.ClientStage.SESSION;
import static io.testudo.mutex.backoff.ClientStage.TIMING;
import static io.testudo.mutex.backoff.ClientStage.WINDOW;
import static io.testudo.mutex.backoff.ClientStage.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.AskedAnew;
import io.testudo.mutex.protocol.GroupRankSeals;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Suspicion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackoffClientTest {
  private static final SecretBytes KEY =
      SecretBytes.copyOf(
          new byte[] {
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
            25, 26, 27, 28, 29, 30, 31, 32
          });

  private ClientStage stage = ClientStage.allServers(BackoffTuning.standard());

  private static Locked locked(Try request) {
    return new Locked(request.time(), request.number(), 0, SealedRank.NONE);
  }

  private static Stale stale(Try request, long last) {
    return new Stale(request.time(), request.number(), SealedRank.unsealed(last));
  }

  @Test
  void entersWithEnoughGrantsAndCountsFromItsFirstSend() {
    Moment sent = stage.now();
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.pass(5 * MILLI);
    stage.hear(0, free(request));
    stage.hear(1, free(request));
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(2, free(request));
    assertThat(stage.result(call)).isEqualTo(new Held(LOCK, request.time(), new Term(sent, LEASE)));
  }

  @Test
  void asksAllServersForItsHoldAndTheWindow() {
    stage.acquire(0);
    for (int server = 0; server < 4; server++) {
      assertThat(stage.tried(server).leaseNanos()).isEqualTo(HOLD + WINDOW);
    }
  }

  @Test
  void countsAServerOnceHoweverOftenItGrants() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(0, free(request));
    stage.hear(1, free(request));
    stage.hear(0, free(request));
    assertThat(stage.result(call)).isEqualTo("none yet");
  }

  @Test
  void doesNotCountGrantsThatComeTooLate() {
    long call = stage.acquire(10 * HOLD);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(1, free(request));
    stage.pass(WINDOW - MILLI);
    stage.suspend(5 * MILLI);
    stage.hear(2, free(request));
    assertThat(stage.result(call)).isEqualTo("none yet");
    assertThat(stage.sentTo(0)).contains(new Release(LOCK, 0, request.time()));
  }

  @Test
  void triesOnceIfItMayNotWait() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    assertThat(request.joins()).isFalse();
    stage.hear(0, locked(request));
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(1, locked(request));
    assertThat(stage.failure(call)).isInstanceOf(NotAcquiredException.class);
    assertThat(stage.sentTo(3)).containsExactly(new Release(LOCK, 0, request.time()));
    assertThat(stage.timers()).isZero();
  }

  @Test
  void saysThatTheLockWasTakenIfEnoughServersAnswered() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.hear(2, free(request));
    stage.hear(0, locked(request));
    stage.hear(1, locked(request));
    assertThat(stage.failure(call)).isInstanceOf(NotAcquiredException.class);
  }

  @Test
  void keepsItsDeadlineWithNoServerAtAll() {
    long call = stage.acquire(300 * MILLI);
    stage.pass(300 * MILLI - 1);
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.pass(1);
    assertThat(stage.failure(call)).isInstanceOf(NoQuorumException.class);
    assertThat(stage.timers()).isZero();
  }

  @Test
  void givesBackAGrantToAnAttemptThatIsOver() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.cancel(call);
    assertThat(stage.sentTo(3)).containsExactly(new Release(LOCK, 0, request.time()));
    stage.hear(2, free(request));
    assertThat(stage.sentTo(2)).containsExactly(new Release(LOCK, 0, request.time()));
    assertThat(stage.result(call)).isEqualTo("none yet");
    assertThat(stage.timers()).isZero();
  }

  @Test
  void waitsInTheListsAndCountsFromTheOldestOfTheNewestGrants() {
    long call = stage.acquire(Acquire.FOREVER);
    Try first = stage.tried(0);
    for (int server = 0; server < 4; server++) {
      stage.hear(server, locked(first));
    }
    stage.forgetEffects();
    stage.pass(TIMING.refreshNanos());
    final Moment second = stage.now();
    assertThat(stage.tried(3).number()).isEqualTo(2);
    stage.forgetEffects();
    stage.pass(TIMING.refreshNanos());
    assertThat(stage.tried(3).number()).isEqualTo(3);
    stage.hear(0, new Free(LOCK, 0, first.time(), 3));
    stage.hear(1, new Free(LOCK, 0, first.time(), 2));
    stage.hear(2, new Free(LOCK, 0, first.time(), 3));
    assertThat(stage.result(call)).isEqualTo(new Held(LOCK, first.time(), new Term(second, LEASE)));
  }

  @Test
  void suspectsAServerThatGrantsWhatWasNeverAskedFor() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, new Free(LOCK, 0, request.time(), 2));
    }
    assertThat(stage.result(call)).isEqualTo("none yet");
    assertThat(stage.told)
        .contains(new Suspicion(new ServerId(0), "grants a request that was never made"));
  }

  @Test
  void suspectsAServerThatDeniesWhatWasNeverAskedFor() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, new Locked(request.time(), 2, 0, SealedRank.NONE));
    }
    assertThat(stage.result(call)).isEqualTo("none yet");
    assertThat(stage.told)
        .contains(new Suspicion(new ServerId(0), "denies a request that was never made"));
  }

  @Test
  void makesWayWhenAServerCallsItStaleAndAnotherIsSilentForTheWindow() {
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(1, free(request));
    stage.hear(2, stale(request, request.time()));
    stage.forgetEffects();
    stage.pass(WINDOW - 1);
    assertThat(stage.sentTo(0)).doesNotContain(new Release(LOCK, 0, request.time()));
    stage.pass(1);
    assertThat(stage.sentTo(0)).contains(new Release(LOCK, 0, request.time()));
  }

  @Test
  void leavesOthersARoundTripEvenIfItDoesNotBackOff() {
    stage = ClientStage.allServers(BackoffTuning.plain());
    stage.call(new Acquire(LOCK, HOLD, Acquire.FOREVER, 0, true));
    Try request = stage.tried(0);
    stage.pass(5 * MILLI);
    stage.hear(0, locked(request));
    stage.hear(1, locked(request));
    stage.forgetEffects();
    stage.pass(4 * MILLI);
    assertThat(stage.sentTo(0)).isEmpty();
    stage.pass(2 * TIMING.delayNanos());
    assertThat(stage.sentTo(0, Try.class)).isNotEmpty();
  }

  @Test
  void sleepsLongerFromRetryToRetryWithoutWaitingLists() {
    stage = ClientStage.allServers(BackoffTuning.plain());
    stage.acquire(Acquire.FOREVER);
    long unit = HOLD + 2 * TIMING.delayNanos();
    long longest = 0;
    for (int retry = 1; retry <= 5; retry++) {
      Try request = stage.tried(0);
      assertThat(request.joins()).isFalse();
      stage.hear(0, locked(request));
      stage.hear(1, locked(request));
      assertThat(stage.sentTo(0)).containsExactly(new Release(LOCK, 0, request.time()));
      long slept = 0;
      while (stage.sentTo(0, Try.class).isEmpty()) {
        stage.pass(MILLI);
        slept += MILLI;
      }
      assertThat(slept).isLessThanOrEqualTo((1L << retry) * unit + MILLI);
      longest = Math.max(longest, slept);
    }
    assertThat(longest).isGreaterThan(4 * unit);
    assertThat(stage.told).hasSize(5).containsOnly(new AskedAnew(LOCK));
  }

  @Test
  void triesAgainAtOnceAboveALastRankThatOneCorrectServerMustHaveSeen() {
    long call = stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    long last = request.time() + 50;
    stage.hear(0, stale(request, last));
    assertThat(stage.sentTo(0)).isEmpty();
    stage.hear(1, stale(request, last));
    assertThat(stage.tried(0).time()).isGreaterThan(last);
    assertThat(stage.sentTo(2)).contains(new Release(LOCK, 0, request.time()));
    Try again = stage.tried(2);
    for (int server = 0; server < 3; server++) {
      stage.hear(server, free(again));
    }
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void takesANewRankInTimeIfASingleServerCallsTheOldOneStale() {
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    stage.hear(0, stale(request, request.time()));
    stage.hear(1, locked(request));
    stage.forgetEffects();
    stage.pass(TIMING.refreshNanos());
    assertThat(stage.tried(1).time()).isGreaterThan(request.time());
    assertThat(stage.tried(1).number()).isEqualTo(1);
  }

  @Test
  void letsNoSingleServerPushItsRanksFarBeyondItsClock() {
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    long wild = RankClock.atWall(stage.now().wallMillis() + 60_000);
    stage.hear(0, stale(request, wild));
    stage.pass(TIMING.refreshNanos());
    assertThat(stage.tried(1).time()).isLessThan(wild);
    Try next = stage.tried(1);
    stage.hear(0, stale(next, wild));
    stage.hear(1, stale(next, wild + 7));
    assertThat(stage.tried(1).time()).isGreaterThan(wild);
  }

  @Test
  void believesASealedRankFromAnyone() {
    RankSeals seals = GroupRankSeals.of("prod", Map.of("", KEY));
    stage = new ClientStage(BackoffProtocol.ALL_SERVERS, 4, 1, BackoffTuning.standard(), seals);
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    assertThat(request.seal()).isEqualTo(seals.seal(LOCK, request.time(), SESSION));
    long far = RankClock.atWall(stage.now().wallMillis() + 60_000);
    SealedRank proven = new SealedRank(far, 99, seals.seal(LOCK, far, 99));
    stage.hear(0, new Stale(request.time(), 1, proven));
    stage.pass(TIMING.refreshNanos());
    assertThat(stage.tried(1).time()).isGreaterThan(far);
  }

  @Test
  void suspectsAServerThatShowsAForgedSeal() {
    RankSeals seals = GroupRankSeals.of("prod", Map.of("", KEY));
    stage = new ClientStage(BackoffProtocol.ALL_SERVERS, 4, 1, BackoffTuning.standard(), seals);
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    long far = RankClock.atWall(stage.now().wallMillis() + 60_000);
    SealedRank forged = new SealedRank(far, 99, request.seal());
    stage.hear(0, new Stale(request.time(), 1, forged));
    assertThat(stage.told)
        .containsExactly(new Suspicion(new ServerId(0), "shows a rank with a forged seal"));
    stage.pass(2 * TIMING.refreshNanos());
    assertThat(stage.tried(1).time()).isEqualTo(request.time());
  }

  @Test
  void tellsOfServersThatWereOutvoted() {
    stage.acquire(0);
    Try request = stage.tried(0);
    stage.hear(3, locked(request));
    for (int server = 0; server < 3; server++) {
      stage.hear(server, free(request));
    }
    assertThat(stage.told).containsExactly(new Outvoted(new ServerId(3), LOCK));
  }

  @Test
  void failsAtOnceIfOneCorrectServerMustHaveRefused() {
    long call = stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    Refused refused = new Refused(request.time(), RefusalReason.LEASE_TOO_LONG, 5 * MILLI);
    stage.hear(0, refused);
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(1, refused);
    assertThat(stage.failure(call))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("5 ms");
  }

  @Test
  void noContenderGivesUpBecauseOfARankThatWasShownToAnotherOfItsProcess() {
    stage.acquire(Acquire.FOREVER);
    long shown = RankClock.atWall(stage.now().wallMillis() + 900);
    stage.hear(0, stale(stage.tried(0), shown));
    long[] calls = new long[2];
    Try[] tries = new Try[2];
    for (int i = 0; i < 2; i++) {
      calls[i] = stage.acquire(Acquire.FOREVER);
      tries[i] = stage.tried(0);
      assertThat(tries[i].time()).isGreaterThan(shown);
    }
    for (int i = 0; i < 2; i++) {
      Refused refused = new Refused(tries[i].time(), RefusalReason.CLOCK_AHEAD, shown);
      stage.hear(0, refused);
      stage.hear(1, refused);
      assertThat(stage.result(calls[i])).isEqualTo("none yet");
      assertThat(stage.tried(0).time()).isLessThan(shown);
    }
  }

  @Test
  void refusesAHoldThatNoServerWouldGrant() {
    long call = stage.call(Acquire.of(LOCK, TIMING.maxHoldNanos() + 1, 0));
    assertThat(stage.failure(call))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("200 ms");
  }

  @Test
  void givesEachContenderOfTheProcessItsOwnNumberAndRank() {
    long one = stage.acquire(Acquire.FOREVER);
    Try first = stage.tried(0);
    stage.acquire(Acquire.FOREVER);
    Try second = stage.tried(0);
    assertThat(second.contender()).isNotEqualTo(first.contender());
    assertThat(second.time()).isGreaterThan(first.time());
    stage.cancel(one);
    stage.acquire(Acquire.FOREVER);
    assertThat(stage.tried(0).contender()).isEqualTo(first.contender());
  }

  @Test
  void asksOneQuorumAndAcceptsDenialsInIt() {
    stage =
        new ClientStage(BackoffProtocol.QUORUMS, 6, 1, BackoffTuning.standard(), RankSeals.none());
    long call = stage.acquire(0);
    List<Integer> asked =
        java.util.stream.IntStream.range(0, 6)
            .filter(server -> !stage.sentTo(server).isEmpty())
            .boxed()
            .toList();
    assertThat(asked).hasSize(5);
    Try request = stage.tried(asked.get(0));
    int unasked = 15 - asked.stream().mapToInt(Integer::intValue).sum();
    stage.hear(unasked, free(request));
    stage.hear(asked.get(4), locked(request));
    for (int i = 0; i < 3; i++) {
      stage.hear(asked.get(i), free(request));
    }
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(asked.get(3), free(request));
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void avoidsSilentServersInItsNextQuorum() {
    stage = new ClientStage(BackoffProtocol.QUORUMS, 6, 1, BackoffTuning.plain(), RankSeals.none());
    stage.acquire(Acquire.FOREVER);
    List<Integer> answering = new ArrayList<>();
    int silent = 0;
    while (stage.sentTo(silent).isEmpty()) {
      silent++;
    }
    for (int server = 0; server < 6; server++) {
      if (server != silent && !stage.sentTo(server).isEmpty()) {
        answering.add(server);
      }
    }
    Try request = stage.tried(silent);
    for (int server : answering) {
      stage.hear(server, server == answering.get(0) ? locked(request) : free(request));
    }
    stage.pass(WINDOW);
    stage.forgetEffects();
    while (stage.sentTo(answering.get(0), Try.class).isEmpty()) {
      stage.pass(MILLI);
    }
    assertThat(stage.sentTo(silent, Try.class)).isEmpty();
  }
}
