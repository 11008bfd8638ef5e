package io.testudo.client.inquiry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Moment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InterviewerTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);

  private final Stage<ServerId> stage = new Stage<>(new Interviewer(List.of(Pong.class)));

  private void ask(ServerId server, long nonce) {
    var unused =
        stage.call(
            new Interviewer.Ask(
                server,
                new Ping(nonce, Incarnations.none(4)),
                message -> message instanceof Pong pong && pong.nonce() == nonce,
                1_000));
  }

  private static Pong pong(long nonce) {
    return new Pong(nonce, S0, 1, Incarnations.none(4));
  }

  private @Nullable Object unasked() {
    var unused = stage.call(new Interviewer.AskUnasked());
    return stage.result();
  }

  @Test
  void hearsTheAnswerOfTheServerThatWasAsked() {
    ask(S0, 7);
    assertThat(stage.sends()).hasSize(1);
    stage.receive(S1, pong(7));
    assertThat(stage.result()).isNull();
    stage.receive(S0, pong(7));
    assertThat(stage.result())
        .isEqualTo(
            Optional.of(new Interviewer.Heard(pong(7), new Moment(stage.nanos, stage.wallMillis))));
    assertThat(stage.timers).isEmpty();
    assertThat(unasked())
        .as("another answered in its place")
        .isEqualTo(ImmutableList.of(new Interviewer.Unasked(S1, pong(7))));
  }

  @Test
  void countsASecondAnswerAsUnasked() {
    ask(S0, 7);
    stage.receive(S0, pong(7));
    stage.receive(S0, pong(7));
    assertThat(unasked()).isEqualTo(ImmutableList.of(new Interviewer.Unasked(S0, pong(7))));
  }

  @Test
  void takesAnAnswerThatIsLateForOneThatWasAskedFor() {
    ask(S0, 7);
    stage.fireNext();
    assertThat(stage.result()).isEqualTo(Optional.empty());
    stage.receive(S0, pong(7));
    assertThat(stage.effects.stream().map(Object::getClass).map(Class::getSimpleName))
        .doesNotContain("Complete");
    assertThat(unasked()).isEqualTo(ImmutableList.of());
  }

  @Test
  void keepsNoMoreOfWhatIsUnaskedThanItsBound() {
    for (int i = 0; i < 2 * Interviewer.MAX_UNASKED; i++) {
      stage.receive(S0, pong(i));
    }
    assertThat((List<?>) unasked()).hasSize(Interviewer.MAX_UNASKED);
  }
}
