package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A liar shows times that are as high as is believed: servers with slower clocks refuse them. */
class ShownTimesTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final Moment NOW = new Moment(1_000, 1_000_000);
  private static final String LOCK = "printer";

  private final SigmaClient client =
      new SigmaClient(
          SigmaProtocol.HARDENED.thresholds(4, 1),
          TIMING,
          SigmaTuning.standard(),
          Entropy.seeded(3));

  private List<Effect<ServerId>> step(Input<ServerId> input) {
    return client.step(input, NOW);
  }

  private List<Effect<ServerId>> hears(int server, Message message) {
    return step(new Input.Received<>(new ServerId(server), message));
  }

  private Request acquire(long call) {
    Acquire wish = Acquire.of(LOCK, 100 * MILLI, Acquire.FOREVER);
    return step(new Input.Called<>(new CallId<>(call), wish)).stream()
        .filter(effect -> effect instanceof Effect.Send<ServerId>)
        .map(effect -> (Request) ((Effect.Send<ServerId>) effect).message())
        .findFirst()
        .orElseThrow();
  }

  private boolean givesUpWhenTwoRefuse(long time) {
    SigmaRefused refused = new SigmaRefused(time, RefusalReason.CLOCK_AHEAD, 1);
    hears(0, refused);
    return hears(1, refused).stream().anyMatch(effect -> effect instanceof Effect.Fail<ServerId>);
  }

  @Test
  void areNoReasonToGiveUpAsTheOwnClockIs() {
    step(new Input.Started<>(List.of()));
    Request own = acquire(1);
    Owner shown = new Owner(own.time() + RankClock.ofMillis(900), 8, 0);
    GrantId grant = new GrantId(3, 1);
    hears(3, new Response(LOCK, 0, own.time(), shown, false, grant, 1, MILLI, own.number(), 0, 0));
    Request pushed = acquire(2);
    assertThat(pushed.time()).isGreaterThan(shown.time());

    assertThat(givesUpWhenTwoRefuse(pushed.time())).as("soon their clocks are further").isFalse();
    assertThat(givesUpWhenTwoRefuse(own.time())).isTrue();
  }
}
