package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of applications, one step at a time: seven servers of which one may lie. */
class CallsTest {
  private static final String OBJECT = "text";
  private static final long TIMEOUT_NANOS = 1_000_000;

  /** Numbered by the clock, which shows a second. */
  private static final OpId FIRST = new OpId(5, 1_000_000);

  private final OrderingClient client =
      new OrderingClient(
          Mode.PLAIN.need().thresholds(7, 1),
          Mode.PLAIN,
          OrderTiming.standard(),
          5,
          OrderSeals.none(),
          () -> 4);

  private final Map<Long, Object> answers = new HashMap<>();
  private final List<Message> sent = new ArrayList<>();
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private long lastCall;

  @BeforeEach
  void start() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, new Moment(7, 1_000))) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        answers.put(complete.id().number(), complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        answers.put(failure.id().number(), failure.reason());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), timer.delayNanos());
      }
    }
  }

  private Object answerOf(long call) {
    return Objects.requireNonNull(answers.get(call), "there is no answer yet");
  }

  private long call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++lastCall), call));
    return lastCall;
  }

  private void hear(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private void timeIsOver(long call) {
    step(new Input.TimerFired<>(new ClientCore.Overdue(OBJECT, call)));
  }

  private long submit() {
    return call(new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), TIMEOUT_NANOS));
  }

  private static void assertNotAllowed(Object answer, Right right, Outcome outcome) {
    assertThat(answer).isInstanceOf(NotAllowedException.class);
    assertThat(((NotAllowedException) answer).right()).isEqualTo(right);
    assertThat(((TestudoException) answer).outcome()).isEqualTo(outcome);
  }

  @Test
  void namesThoseWithoutRoomAndGivesUpWhenTheOthersAreNoQuorum() {
    int blocking = Mode.PLAIN.need().thresholds(7, 1).blocking();
    long late = submit();
    for (int again = 0; again < 10; again++) {
      hear(3, new Busy(OBJECT, Rank.NONE, Busy.Lack.OBJECTS));
    }
    assertThat(answers).as("a liar's word ends nothing").isEmpty();
    timeIsOver(late);
    assertThat(answerOf(late))
        .isInstanceOfSatisfying(
            UnknownOutcomeException.class,
            failure ->
                assertThat(failure)
                    .hasMessageContaining("(s3 has no room for another object of this principal)"));
    long refused = submit();
    for (int server = 0; server < blocking - 1; server++) {
      assertThat(answers).doesNotContainKey(refused);
      hear(server, new Busy(OBJECT, Rank.NONE, Busy.Lack.BYTES));
    }
    assertThat(answerOf(refused))
        .isInstanceOfSatisfying(
            UnknownOutcomeException.class,
            failure -> {
              assertThat(failure.reasons()).hasSize(blocking);
              assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            });
  }

  @Test
  void believesARefusalOfNoFewerServersThanIncludeACorrectOne() {
    long read = call(new ReadObject(OBJECT, GrowingText.MODEL, TIMEOUT_NANOS));
    long peek = call(ReadObject.published(OBJECT, GrowingText.MODEL, TIMEOUT_NANOS));
    for (int again = 0; again < 10; again++) {
      hear(3, new NoRight(Right.READ, OBJECT));
      hear(3, new NoRight(Right.READ, "another"));
    }
    assertThat(answers).isEmpty();
    hear(4, new NoRight(Right.READ, OBJECT));
    assertNotAllowed(answerOf(read), Right.READ, Outcome.DID_NOT_HAPPEN);
    assertNotAllowed(answerOf(peek), Right.READ, Outcome.DID_NOT_HAPPEN);
  }

  @Test
  void giveAnOperationUpOnlyIfItMayNeitherBeSubmittedNorOrdered() {
    long submit = submit();
    for (int server = 0; server < 7; server++) {
      hear(server, new NoRight(Right.ORDER, OBJECT));
    }
    assertThat(answers).isEmpty();
    assertThat(sent).anyMatch(Submit.class::isInstance);
    hear(0, new NoRight(Right.SUBMIT, OBJECT));
    assertThat(answers).isEmpty();
    hear(6, new NoRight(Right.SUBMIT, OBJECT));
    assertNotAllowed(answerOf(submit), Right.SUBMIT, Outcome.UNKNOWN);
  }

  @Test
  void tellTheIdOfAnOverdueOperationAndItsResultToWhoeverAsksAgain() {
    long submit = submit();
    timeIsOver(submit);
    OpId id = FIRST;
    assertThat(answerOf(submit)).isInstanceOf(UnknownOutcomeException.class);
    assertThat(((UnknownOutcomeException) answerOf(submit)).id()).isEqualTo(id.toOperationId());

    long asked = call(new AskOperation(OBJECT, GrowingText.MODEL, id, TIMEOUT_NANOS));
    long overdue = call(new AskOperation(OBJECT, GrowingText.MODEL, id, TIMEOUT_NANOS));
    timeIsOver(overdue);
    assertThat(answerOf(overdue)).isInstanceOf(UnknownOutcomeException.class);

    Answered answered = new Answered(OBJECT, id, 9, Optional.of(Bytes.utf8("a")));
    hear(0, answered);
    assertThat(answers).doesNotContainKey(asked);
    hear(1, answered);
    OperationFate fate =
        new OperationFate(id, OperationFate.Stage.DONE, 9, Optional.of(Bytes.utf8("a")));
    assertThat(answerOf(asked)).isEqualTo(fate);
    long late = call(new AskOperation(OBJECT, GrowingText.MODEL, id, TIMEOUT_NANOS));
    assertThat(answerOf(late)).isEqualTo(fate);
  }

  @Test
  void giveUpWhatEnoughServersCallExpiredAndGoOnAboveWhatACorrectOneNames() {
    long submit = submit();
    hear(0, new Expired(OBJECT, FIRST, OpId.MAX_SEQUENCE - 1));
    hear(0, new Expired(OBJECT, FIRST, OpId.MAX_SEQUENCE - 1));
    assertThat(answers).isEmpty();
    hear(1, new Expired(OBJECT, FIRST, 5_000_000));
    assertThat(answerOf(submit)).isInstanceOf(UnknownOutcomeException.class);

    long next = submit();
    timeIsOver(next);
    assertThat(((UnknownOutcomeException) answerOf(next)).id().sequence()).isEqualTo(5_000_001);
  }

  @Test
  void giveUpWhatIsBehindAForgottenOperationAndGoOnWhileCallersKeepComing() {
    long first = submit();
    long second = submit();
    hear(0, new Expired(OBJECT, FIRST, 5_000_000));
    hear(1, new Expired(OBJECT, FIRST, 5_000_000));
    assertThat(answerOf(first)).isInstanceOf(UnknownOutcomeException.class);
    assertThat(answerOf(second)).isInstanceOf(UnknownOutcomeException.class);
    long next = submit();
    timeIsOver(next);
    assertThat(((UnknownOutcomeException) answerOf(next)).id().sequence()).isEqualTo(5_000_001);
  }

  @Test
  void tellTheCallerIfAnOperationIsDoneButItsResultForgotten() {
    long submit = submit();
    Answered forgotten = new Answered(OBJECT, FIRST, 0, Optional.empty());
    hear(0, forgotten);
    hear(1, forgotten);
    assertThat(((TestudoException) answerOf(submit)).outcome()).isEqualTo(Outcome.HAPPENED);
  }

  @Test
  void peekWithoutARankAndTakeWhatWasPublishedEvenIfSomebodyOrders() {
    long peek = call(ReadObject.published(OBJECT, GrowingText.MODEL, TIMEOUT_NANOS));
    Get get = (Get) sent.get(0);
    assertThat(sent).hasSize(7).allMatch(one -> ((Get) one).rank().equals(Rank.NONE));
    Statement proposal =
        new Statement(new Rank(9, 9), new StateId(1, Digest.of(new byte[1])), Optional.empty());
    for (int server = 0; server < 5; server++) {
      hear(
          server,
          new Report(
              OBJECT, get.nonce(), Optional.of(proposal), Optional.empty(), List.of(), List.of()));
    }
    assertThat(answerOf(peek)).isEqualTo(new ReadResult(0, "", true));
    assertThat(sent).noneMatch(one -> one instanceof Get asked && !asked.rank().equals(Rank.NONE));
  }

  @Test
  void endInTimeAndForgetWhatWasCancelled() {
    long read = call(new ReadObject(OBJECT, GrowingText.MODEL, TIMEOUT_NANOS));
    long cancelled = call(ReadObject.published(OBJECT, GrowingText.MODEL, TIMEOUT_NANOS));
    assertThat(timers).containsEntry(new ClientCore.Overdue(OBJECT, read), TIMEOUT_NANOS);
    step(new Input.Cancelled<>(new CallId<>(cancelled)));
    timeIsOver(cancelled);
    timeIsOver(read);
    assertThat(answers).containsOnlyKeys(read);
    assertThat(answerOf(read)).isInstanceOf(NoQuorumException.class);
    assertThat(((TestudoException) answerOf(read)).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
  }

  @Test
  void countOperationsThatNobodyWaitsForAsInProgress() {
    for (int i = 0; i < OrderingClient.MAX_OPERATIONS; i++) {
      long submit = submit();
      step(new Input.Cancelled<>(new CallId<>(submit)));
      sent.clear();
    }
    long oneMore = submit();
    assertThat(answerOf(oneMore)).isInstanceOf(OverloadedException.class);
  }
}
