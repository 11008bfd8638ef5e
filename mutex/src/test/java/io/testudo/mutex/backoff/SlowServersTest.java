package io.testudo.mutex.backoff;

import static io.testudo.mutex.backoff.ClientStage.LOCK;
import static io.testudo.mutex.backoff.ClientStage.MILLI;
import static io.testudo.mutex.backoff.ClientStage.WINDOW;
import static io.testudo.mutex.backoff.ClientStage.free;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Held;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import org.junit.jupiter.api.Test;

class SlowServersTest {
  private static final long ROUND_TRIP = WINDOW + 10 * MILLI;

  private final ClientStage stage = ClientStage.allServers(BackoffTuning.standard());

  @Test
  void endOneTryAndTheNextOneWaitsForThem() {
    long first = stage.acquire(0);
    Try request = stage.tried(0);
    stage.pass(WINDOW - 1);
    assertThat(stage.result(first)).isEqualTo("none yet");
    stage.pass(1);
    assertThat(stage.failure(first)).isInstanceOf(NoQuorumException.class);
    assertThat(stage.failure(first).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    assertThat(stage.failure(first).isWorthRetrying()).isTrue();
    stage.pass(ROUND_TRIP - WINDOW);
    for (int server = 0; server < 4; server++) {
      stage.hear(server, free(request));
      assertThat(stage.sentTo(server)).containsExactly(new Release(LOCK, 0, request.time()));
    }

    long second = stage.acquire(0);
    Try again = stage.tried(0);
    stage.pass(ROUND_TRIP);
    stage.hear(0, free(again));
    stage.hear(1, free(again));
    stage.hear(2, free(again));
    assertThat(stage.result(second)).isInstanceOf(Held.class);
  }
}
