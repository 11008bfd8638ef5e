package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InnerTest {
  private static final Moment NOON = new Moment(42, 1_000);
  private static final ServerId PEER = new ServerId(1);

  private record Question(String text) implements Message {}

  private record Answer(String text) implements Message {}

  private record Bell(int number) implements TimerKey {}

  private record Ask(String question) implements Call<String> {}

  private record Kept(String what) implements StateRecord {}

  private record Noticed(String what) implements Event {}

  /** Asks a peer, and gives up when a bell rings. */
  private static final class Asker extends Machine<ServerId> {
    private CallId<String> open = new CallId<>(0);

    Asker() {
      onCall(Ask.class, this::onAsk);
      onMessage(Answer.class, (from, answer) -> complete(open, answer.text()));
      onTimer(Bell.class, bell -> tell(new Noticed("bell " + bell.number())));
    }

    private void onAsk(CallId<String> call, Ask ask) {
      open = call;
      send(PEER, new Question(ask.question()));
      setTimer(new Bell(1), 5);
      persist(new Kept(ask.question()));
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      recovered.forEach(record -> tell(new Noticed(record.toString())));
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      cancelTimer(new Bell(1));
    }
  }

  /** Passes calls on, and bells of its own. */
  private static final class Outer extends Machine<ServerId> {
    final List<String> heard = new ArrayList<>();
    final Inner<ServerId> asker;
    CallId<String> asked = new CallId<>(0);

    Outer() {
      asker = adopt(new Asker(), event -> heard.add(((Noticed) event).what()));
      onTimer(Bell.class, bell -> heard.add("own bell " + bell.number()));
      onCall(
          Ask.class,
          (call, ask) ->
              asked = asker.call(ask, heard::add, failure -> heard.add(failure.getMessage())));
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      asker.cancel(asked);
    }
  }

  private final Outer outer = new Outer();

  private List<Effect<ServerId>> step(Input<ServerId> input) {
    return outer.step(input, NOON);
  }

  private TimerKey ask() {
    List<Effect<ServerId>> effects =
        step(new Input.Called<>(new CallId<String>(7), new Ask("why?")));
    assertThat(effects)
        .contains(
            new Effect.Send<>(PEER, new Question("why?")), new Effect.Persist<>(new Kept("why?")));
    return effects.stream()
        .filter(Effect.SetTimer.class::isInstance)
        .map(effect -> ((Effect.SetTimer<ServerId>) effect).key())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void startsWithTheOuterMachineAndWithWhatItKept() {
    step(new Input.Started<>(List.of(new Kept("before"))));
    assertThat(outer.heard).containsExactly("Kept[what=before]");
  }

  @Test
  void hearsItsMessagesAndAnswersTheOuterMachine() {
    step(new Input.Started<>(List.of()));
    ask();
    assertThat(outer.handles(new Answer("because"))).isTrue();
    assertThat(outer.handles(new Question("why?"))).isFalse();
    assertThat(step(new Input.Received<>(PEER, new Answer("because")))).isEmpty();
    assertThat(outer.heard).containsExactly("because");
  }

  @Test
  void keepsItsTimersApartFromThoseOfTheOuterMachine() {
    step(new Input.Started<>(List.of()));
    TimerKey inner = ask();
    assertThat(inner).isNotEqualTo(new Bell(1));
    step(new Input.TimerFired<>(new Bell(1)));
    step(new Input.TimerFired<>(inner));
    assertThat(outer.heard).containsExactly("own bell 1", "bell 1");
  }

  @Test
  void isToldOfACallThatWasGivenUpAndIsHeardOfItNoMore() {
    step(new Input.Started<>(List.of()));
    TimerKey inner = ask();
    assertThat(step(new Input.Cancelled<>(new CallId<String>(7))))
        .containsExactly(new Effect.CancelTimer<>(inner));
    step(new Input.Received<>(PEER, new Answer("too late")));
    assertThat(outer.heard).isEmpty();
  }

  @Test
  void joinsMachinesThatKeepTheirRecordsSideBySide() {
    Together<ServerId> both = new Together<>(List.of(new Asker(), new Rememberer()));
    assertThat(both.step(new Input.Started<>(List.of(new Kept("x"))), NOON))
        .containsExactly(new Effect.Tell<>(new Noticed("Kept[what=x]")));
    assertThat(both.handles(new Question("?"))).isTrue();
    assertThat(both.step(new Input.Received<>(PEER, new Question("?")), NOON))
        .containsExactly(new Effect.Send<>(PEER, new Answer("x")));
    assertThat(both.snapshot()).containsExactly(new Kept("x"));
  }

  /** Answers every question with what it was told last. */
  private static final class Rememberer extends Machine<ServerId> {
    private String last = "";

    Rememberer() {
      onMessage(Question.class, (from, question) -> send(from, new Answer(last)));
    }

    @Override
    protected void onStarted(List<StateRecord> recovered) {
      recovered.forEach(record -> last = ((Kept) record).what());
    }

    @Override
    public List<StateRecord> snapshot() {
      return List.of(new Kept(last));
    }
  }
}
