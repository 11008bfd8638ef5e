package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.LOCK;
import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static io.testudo.mutex.backoff.ClientStage.TIMING;
import static io.testudo.mutex.backoff.ClientStage.WINDOW;
import static io.testudo.mutex.backoff.ClientStage.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.SealedRank;
import org.junit.jupiter.api.Test;

/** Some servers grant an attempt, and others do not: which contender makes way. */
class MakingWayTest {
  private final ClientStage stage = ClientStage.allServers(BackoffTuning.standard());

  private static Locked locked(Try request) {
    return new Locked(request.time(), request.number(), 0, SealedRank.NONE);
  }

  private static Stale stale(Try request) {
    return new Stale(request.time(), request.number(), SealedRank.unsealed(request.time()));
  }

  @Test
  void makesWayWhenItsGrantsDoNotSpread() {
    long call = stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(1, free(request));
    stage.hear(2, stale(request));
    stage.forgetEffects();
    stage.pass(WINDOW);
    assertThat(stage.sentTo(0)).contains(new Release(LOCK, 0, request.time()));
    stage.pass(10_000 * MILLI);
    assertThat(stage.tried(0).time()).isGreaterThan(request.time());
    assertThat(stage.result(call)).isEqualTo("none yet");
  }

  /** Whoever has what it lacks is the earlier one, so called stale here, and makes way. */
  @Test
  void keepsItsGrantsInLineAsLongAsNobodyCallsItStale() {
    long call = stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(1, locked(request));
    stage.hear(2, locked(request));
    Try refresh = request;
    for (int refreshes = 1; refreshes <= 10; refreshes++) {
      stage.forgetEffects();
      stage.pass(TIMING.refreshNanos());
      refresh = stage.tried(0);
      assertThat(refresh.time()).isEqualTo(request.time());
      assertThat(refresh.number()).isEqualTo(1 + refreshes);
      stage.hear(0, free(refresh));
      stage.hear(1, locked(refresh));
      stage.hear(2, locked(refresh));
    }
    stage.hear(1, free(refresh));
    stage.hear(2, free(refresh));
    assertThat(stage.result(call)).isInstanceOf(Held.class);
  }

  @Test
  void makesWayWhenThoseThatLetItWaitAreNotHeardOfAnyMore() {
    stage.acquire(Acquire.FOREVER);
    Try request = stage.tried(0);
    stage.hear(0, free(request));
    stage.hear(1, locked(request));
    stage.hear(2, locked(request));
    stage.pass(TIMING.waiterExpiryNanos());
    assertThat(stage.sentTo(0, Release.class)).isEmpty();
    stage.forgetEffects();
    stage.pass(TIMING.refreshNanos());
    assertThat(stage.sentTo(0)).contains(new Release(LOCK, 0, request.time()));
  }
}
