package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import org.junit.jupiter.api.Test;

/** A caller that waited in vain is told what servers say why they do not grant. */
class BackoffExcusesTest {
  private static final long SECOND = 1_000 * MILLI;

  private final ClientStage stage = ClientStage.allServers(BackoffTuning.standard());

  private static Locked quarantined(Try request, long nanos) {
    return new Locked(request.time(), request.number(), nanos, SealedRank.NONE, true);
  }

  private static Locked locked(Try request) {
    return new Locked(request.time(), request.number(), SECOND, SealedRank.NONE);
  }

  private TestudoException failureAfter(long waitNanos, long call) {
    stage.pass(waitNanos);
    assertThat(stage.failure(call)).isInstanceOf(NotAcquiredException.class);
    return stage.failure(call);
  }

  @Test
  void namesTheServersThatRestartedAndForHowLongTheyGrantNothing() {
    long call = stage.acquire(2 * SECOND);
    Try request = stage.tried(0);
    stage.hear(0, quarantined(request, 27 * SECOND));
    stage.hear(1, quarantined(request, 5 * SECOND / 2));
    stage.hear(2, quarantined(request, SECOND));
    stage.hear(3, locked(request));
    TestudoException failure = failureAfter(2 * SECOND, call);
    assertThat(failure.reasons())
        .as("what is over by then is no reason")
        .containsOnlyKeys(new ServerId(0), new ServerId(1));
    assertThat(failure)
        .hasMessageStartingWith(
            "The lock 'printer' was not free in time (s0 restarted and grants no locks for another"
                + " 26 s; s1 restarted and grants no locks for another 1 s): it did not happen");
  }

  @Test
  void aQuarantineEndsNoWaitThatAHolderWouldNotEnd() {
    long call = stage.acquire(2 * SECOND);
    Try request = stage.tried(0);
    for (int server = 0; server < 4; server++) {
      stage.hear(server, quarantined(request, Excuses.UNTIL_TOLD));
    }
    assertThat(stage.result(call)).isEqualTo("none yet");
    for (int server = 0; server < 3; server++) {
      stage.hear(server, ClientStage.free(request));
    }
    assertThat(stage.results).containsKey(call);
    assertThat(stage.result(call)).isNotInstanceOf(TestudoException.class);
  }

  @Test
  void theLastWordOfAServerCounts() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.hear(0, quarantined(request, 27 * SECOND));
    stage.hear(0, locked(request));
    stage.hear(1, quarantined(request, Excuses.UNTIL_TOLD));
    assertThat(stage.failure(call).reasons())
        .containsOnlyKeys(new ServerId(1))
        .allSatisfy((server, why) -> assertThat(why).contains("lost its memory", "operator"));
  }

  @Test
  void oneRefusalIsShownAndNotBelieved() {
    long call = stage.acquire(0);
    Try request = stage.tried(0);
    stage.hear(0, new Refused(request.time(), RefusalReason.TOO_MANY_LOCKS, 100));
    assertThat(stage.result(call)).isEqualTo("none yet");
    stage.hear(1, locked(request));
    assertThat(stage.failure(call))
        .isInstanceOf(NotAcquiredException.class)
        .hasMessageContaining(
            "(s0 refuses it: it has no room for another lock in use (100 of one principal at most))");
  }
}
