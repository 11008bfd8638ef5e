package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {
  private static final Moment NOON = new Moment(42, 1_000);
  private static final ServerId PEER = new ServerId(1);

  private record Hello() implements Message {}

  private record Wake() implements TimerKey {}

  /** Answers, and wakes later. */
  private static final class Answerer extends Part<ServerId> {
    Answerer(Part<ServerId> other) {
      super(other);
      onMessage(Hello.class, (from, hello) -> setTimer(new Wake(), 5));
      onTimer(Wake.class, wake -> greetAll());
    }

    void greetAll() {
      sendAll(ServerSet.firstN(2), new Hello());
    }
  }

  private static final class Whole extends Machine<ServerId> {
    final Answerer answerer = new Answerer(this);

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      answerer.greetAll(); // A part is called like any object, within a step.
    }
  }

  @Test
  void handlesInputsOfItsMachineAndNotesItsEffects() {
    Whole whole = new Whole();
    assertThat(whole.step(new Input.Started<>(List.of()), NOON))
        .containsExactly(
            new Effect.Send<>(new ServerId(0), new Hello()), new Effect.Send<>(PEER, new Hello()));
    assertThat(whole.handles(new Hello())).isTrue();
    assertThat(whole.step(new Input.Received<>(PEER, new Hello()), NOON))
        .containsExactly(new Effect.SetTimer<>(new Wake(), 5));
    assertThat(whole.step(new Input.TimerFired<>(new Wake()), NOON)).hasSize(2);
  }

  @Test
  void bringsNothingAboutOutsideOfAStep() {
    Whole whole = new Whole();
    assertThatThrownBy(() -> whole.answerer.greetAll()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void twoPartsMayNotHandleTheSame() {
    Whole whole = new Whole();
    assertThatThrownBy(() -> new Answerer(whole))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Hello has two handlers");
  }

  @Test
  void aMachineTakesNoPartOfAnother() {
    Whole whole = new Whole();
    assertThatThrownBy(() -> new Whole().assemble(whole.answerer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part of another machine");
  }
}
