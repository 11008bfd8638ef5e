package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DueTimerTest {
  private record Bell() implements TimerKey {}

  private record Do(Consumer<DueTimer<ServerId>> what) implements Message {}

  private static final class Clockwork extends Machine<ServerId> {
    Clockwork() {
      DueTimer<ServerId> timer = new DueTimer<>(effects(), new Bell());
      onMessage(Do.class, (from, message) -> message.what().accept(timer));
      onTimer(Bell.class, bell -> timer.rings());
    }
  }

  private final Clockwork machine = new Clockwork();

  DueTimerTest() {
    assertThat(machine.step(new Input.Started<>(List.of()), new Moment(0, 0))).isEmpty();
  }

  private List<Effect<ServerId>> at(long nanos, Consumer<DueTimer<ServerId>> what) {
    return machine.step(new Input.Received<>(new ServerId(0), new Do(what)), new Moment(nanos, 0));
  }

  private static Effect<ServerId> set(long delayNanos) {
    return new Effect.SetTimer<>(new Bell(), delayNanos);
  }

  @Test
  void isSetForTheEarliestOfAllThatIsDue() {
    assertThat(at(10, timer -> timer.ringBy(100))).containsExactly(set(90));
    assertThat(at(20, timer -> timer.ringBy(150))).isEmpty();
    assertThat(at(20, timer -> timer.ringBy(100))).isEmpty();
    assertThat(at(20, timer -> timer.ringBy(60))).containsExactly(set(40));
  }

  @Test
  void ringsAtOnceForWhatIsOverdue() {
    assertThat(at(10, timer -> timer.ringBy(5))).containsExactly(set(0));
  }

  @Test
  void isSetAgainAfterItRang() {
    assertThat(at(10, timer -> timer.ringBy(100))).containsExactly(set(90));
    assertThat(machine.step(new Input.TimerFired<>(new Bell()), new Moment(100, 0))).isEmpty();
    assertThat(at(100, timer -> timer.ringBy(150))).containsExactly(set(50));
  }

  @Test
  void isCancelledOnlyIfItIsSet() {
    assertThat(at(10, DueTimer::cancel)).isEmpty();
    assertThat(at(10, timer -> timer.ringBy(100))).containsExactly(set(90));
    assertThat(at(20, DueTimer::cancel)).containsExactly(new Effect.CancelTimer<>(new Bell()));
    assertThat(at(30, timer -> timer.ringBy(150))).containsExactly(set(120));
  }
}
