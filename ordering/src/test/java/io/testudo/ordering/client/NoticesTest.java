package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.WatchObject;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seven servers, of which one may lie. */
class NoticesTest {
  private static final String OBJECT = "account";

  private final OrderingClient client =
      new OrderingClient(
          Mode.PLAIN.need().thresholds(7, 1),
          Mode.PLAIN,
          OrderTiming.standard(),
          5,
          OrderSeals.none(),
          () -> 4);

  private final List<Object> results = new ArrayList<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<TimerKey> timers = new ArrayList<>();

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ServerId> input) {
    results.clear();
    sent.clear();
    for (Effect<ServerId> effect : client.step(input, new Moment(0, 1_700_000_000_000L))) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        results.add(complete.result());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.add(timer.key());
      }
    }
  }

  private void await(long call, long known) {
    step(new Input.Called<>(new CallId<>(call), new AwaitChange(OBJECT, known, 1_000)));
  }

  private void hear(int server, long version) {
    step(new Input.Received<>(new ServerId(server), new Changed(OBJECT, version)));
  }

  @Test
  void wakesWhenMoreSaySoThanCanLie() {
    await(1, 3);
    assertThat(sent).hasSize(7).containsOnly(new WatchObject(OBJECT, 3));
    hear(0, 9);
    hear(0, 10);
    hear(1, 3);
    assertThat(results).isEmpty();
    hear(1, 4);
    assertThat(results).containsExactly(true);
    hear(2, 5);
    assertThat(results).isEmpty();
  }

  @Test
  void asksForThoseWhoKnowTheSameOnce() {
    await(1, 3);
    await(2, 3);
    assertThat(sent).isEmpty();
    hear(0, 4);
    hear(1, 4);
    assertThat(results).containsExactly(true, true);
  }

  @Test
  void wakesThoseWhoKnowLessThanAnother() {
    await(1, 3);
    await(2, 5);
    assertThat(results).containsExactly(true);
    assertThat(sent).hasSize(7).containsOnly(new WatchObject(OBJECT, 5));
    await(3, 4);
    assertThat(results).containsExactly(true);
  }

  /** What was heard for an earlier wait says nothing of the present one. */
  @Test
  void countsAnewAfterEachWait() {
    await(1, 3);
    hear(0, 1_000);
    hear(1, 4);
    await(2, 4);
    hear(1, 5);
    assertThat(results).isEmpty();
    hear(2, 5);
    assertThat(results).containsExactly(true);
  }

  @Test
  void endsWhenItsTimeIsOver() {
    await(1, 3);
    TimerKey over = timers.get(timers.size() - 1);
    step(new Input.TimerFired<>(over));
    assertThat(results).containsExactly(false);
    hear(0, 4);
    hear(1, 4);
    assertThat(results).isEmpty();
    await(2, 3);
    assertThat(sent).as("asks again, in case that servers forgot").hasSize(7);
  }

  @Test
  void forgetsWhoGaveUp() {
    await(1, 3);
    step(new Input.Cancelled<>(new CallId<>(1)));
    hear(0, 4);
    hear(1, 4);
    assertThat(results).isEmpty();
  }
}
