package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A caller that waited in vain is told what servers say why they do not grant. */
class SigmaExcusesTest {
  private static final long MILLI = 1_000_000L;
  private static final long WAIT = 500 * MILLI;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);

  private final SigmaClient client =
      new SigmaClient(
          SigmaProtocol.HARDENED.thresholds(4, 1),
          TIMING,
          SigmaTuning.standard(),
          Entropy.seeded(3));
  private long nanos = 1_000;
  private Optional<TimerKey> timer = Optional.empty();
  private Optional<TestudoException> failure = Optional.empty();

  private List<Effect<ServerId>> step(Input<ServerId> input) {
    List<Effect<ServerId>> effects =
        client.step(input, new Moment(nanos, 1_000_000 + nanos / MILLI));
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ServerId> set) {
        timer = Optional.of(set.key());
      } else if (effect instanceof Effect.Fail<ServerId> failed) {
        failure = Optional.of(failed.reason());
      }
    }
    return effects;
  }

  private void hears(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private Request acquire() {
    step(new Input.Started<>(List.of()));
    Acquire wish = Acquire.of("printer", 100 * MILLI, WAIT);
    return step(new Input.Called<>(new CallId<>(1), wish)).stream()
        .filter(effect -> effect instanceof Effect.Send<ServerId>)
        .map(effect -> (Request) ((Effect.Send<ServerId>) effect).message())
        .findFirst()
        .orElseThrow();
  }

  private static SigmaRefused quarantined(Request request, long nanos) {
    return new SigmaRefused(request.time(), RefusalReason.QUARANTINED, nanos);
  }

  private TestudoException failureAfterTheWait() {
    nanos += WAIT;
    step(new Input.TimerFired<>(timer.orElseThrow()));
    return failure.orElseThrow();
  }

  @Test
  void namesTheServersThatRestartedAndForHowLongTheyGrantNothing() {
    Request request = acquire();
    for (int server = 0; server < 3; server++) {
      hears(server, quarantined(request, 2_500 * MILLI));
    }
    assertThat(failure).as("a quarantine is no refusal").isEmpty();
    assertThat(failureAfterTheWait())
        .isInstanceOf(NotAcquiredException.class)
        .hasMessageContaining("(s0 restarted and grants no locks for another 3 s; s1 restarted");
  }

  @Test
  void tooFewAnswersAreTooFewWhateverTheySay() {
    Request request = acquire();
    hears(0, quarantined(request, 2_500 * MILLI));
    hears(0, quarantined(request, 2_500 * MILLI));
    hears(1, quarantined(request, 2_500 * MILLI));
    assertThat(failureAfterTheWait()).isInstanceOf(NoQuorumException.class);
  }
}
