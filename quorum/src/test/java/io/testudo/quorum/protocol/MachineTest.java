package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ServerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
  private static final Moment NOON = new Moment(42, 1_000);
  private static final ServerId PEER = new ServerId(1);

  private record Hello(String text) implements Message {}

  private record Unknown() implements Message {}

  private record Wake(int number) implements TimerKey {}

  private record Ask(String question) implements Call<String> {}

  private record Kept(String what) implements StateRecord {}

  private record Noticed(String what) implements Event {}

  /** Does one of everything. */
  private static final class Everything extends Machine<ServerId> {
    private CallId<String> open = new CallId<>(0);

    Everything() {
      onMessage(Hello.class, (from, hello) -> send(from, new Hello("re: " + hello.text())));
      onTimer(Wake.class, wake -> complete(open, "woken by " + wake.number()));
      onCall(Ask.class, this::onAsk);
    }

    private void onAsk(CallId<String> call, Ask ask) {
      open = call;
      persist(new Kept(ask.question()));
      setTimer(new Wake(1), now().nanos());
      cancelTimer(new Wake(2));
      tell(new Noticed(ask.question()));
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      recovered.forEach(record -> tell(new Noticed(record.toString())));
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      tell(new Noticed("cancelled " + call));
    }

    void misbehave() {
      send(PEER, new Hello("out of turn"));
    }
  }

  private static Everything started() {
    Everything machine = new Everything();
    machine.step(new Input.Started<>(List.of()), NOON);
    return machine;
  }

  @Test
  void returnsTheEffectsOfAStepInTheOrderInWhichTheyWereNoted() {
    List<Effect<ServerId>> effects =
        started().step(new Input.Called<>(new CallId<String>(7), new Ask("why?")), NOON);

    assertThat(effects)
        .containsExactly(
            new Effect.Persist<>(new Kept("why?")),
            new Effect.SetTimer<>(new Wake(1), 42),
            new Effect.CancelTimer<>(new Wake(2)),
            new Effect.Tell<>(new Noticed("why?")));
  }

  @Test
  void givesEachInputToItsHandlerAndKeepsNoEffectForTheNextStep() {
    Everything machine = started();
    machine.step(new Input.Called<>(new CallId<String>(7), new Ask("why?")), NOON);

    assertThat(machine.step(new Input.Received<>(PEER, new Hello("hi")), NOON))
        .containsExactly(new Effect.Send<>(PEER, new Hello("re: hi")));
    assertThat(machine.step(new Input.TimerFired<>(new Wake(9)), NOON))
        .containsExactly(new Effect.Complete<>(new CallId<String>(7), "woken by 9"));
    assertThat(machine.step(new Input.Cancelled<>(new CallId<String>(7)), NOON))
        .containsExactly(new Effect.Tell<>(new Noticed("cancelled #7")));
  }

  @Test
  void startsFirstAndOnce() {
    Everything machine = new Everything();
    assertThatThrownBy(() -> machine.step(new Input.Received<>(PEER, new Hello("hi")), NOON))
        .isInstanceOf(IllegalStateException.class);

    assertThat(machine.step(new Input.Started<>(List.of(new Kept("this"))), NOON)).hasSize(1);
    assertThatThrownBy(() -> machine.step(new Input.Started<>(List.of()), NOON))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void saysWhichMessagesItTakesAndRefusesOthers() {
    Everything machine = started();

    assertThat(machine.handles(new Hello("hi"))).isTrue();
    assertThat(machine.handles(new Unknown())).isFalse();
    assertThatThrownBy(() -> machine.step(new Input.Received<>(PEER, new Unknown()), NOON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Everything does not handle Unknown");
  }

  @Test
  void notesNoEffectOutsideOfAStep() {
    assertThatThrownBy(started()::misbehave).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesTwoHandlersForOneMessage() {
    assertThatThrownBy(
            () ->
                new Machine<ServerId>() {
                  {
                    onMessage(Hello.class, (from, hello) -> {});
                    onMessage(Hello.class, (from, hello) -> {});
                  }
                })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Hello has two handlers");
  }
}
