package io.testudo.client.inquiry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockView;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InquirerTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);
  private static final long RETRY = 100;
  private static final long TIMEOUT = 250;

  private final AtomicLong entropy = new AtomicLong(1_000);
  private Stage<ServerId> stage = stage(Inquirer.MAX_PAGES);

  private Stage<ServerId> stage(int maxPages) {
    return new Stage<>(
        new Inquirer<>(
            LockList.class,
            2,
            RETRY,
            entropy::incrementAndGet,
            LockList::nonce,
            page ->
                page.more()
                    ? Optional.of(nonce -> new ListLocks(nonce, "any", "", "z"))
                    : Optional.empty(),
            maxPages));
  }

  private void ask() {
    var unused =
        stage.call(
            new Inquirer.Inquire<LockList>(nonce -> new ListLocks(nonce, "any", "", ""), TIMEOUT));
  }

  /** The nonce of the question that the last step sent to a server. */
  private long nonceTo(ServerId server) {
    for (Effect.Send<ServerId> send : stage.sends()) {
      if (send.to().equals(server) && send.message() instanceof ListLocks question) {
        return question.nonce();
      }
    }
    throw new AssertionError("nothing was sent to " + server);
  }

  private static LockList page(long nonce, String lock, boolean more) {
    return new LockList(
        nonce, ImmutableList.of(new LockView(lock, Optional.empty(), ImmutableList.of(), 0)), more);
  }

  @SuppressWarnings("unchecked")
  private Answers<LockList> answers() {
    return (Answers<LockList>) Objects.requireNonNull(stage.result());
  }

  @Test
  void gathersWhatEveryServerSays() {
    ask();
    long first = nonceTo(S0);
    long second = nonceTo(S1);
    stage.nanos = 40;
    stage.receive(S0, page(first, "a", false));
    assertThat(stage.result()).isNull();
    stage.receive(S1, page(second, "b", false));
    assertThat(answers().pages().get(S0)).containsExactly(page(first, "a", false));
    assertThat(answers().complete()).isEqualTo(ServerSet.firstN(2));
    assertThat(answers().roundTripNanos()).containsEntry(S0, 40L);
    assertThat(stage.timers).isEmpty();
  }

  @Test
  void asksForTheNextPageUntilThereIsNone() {
    ask();
    long first = nonceTo(S0);
    long second = nonceTo(S1);
    stage.receive(S1, page(second, "b", false));
    stage.receive(S0, page(first, "a", true));
    long next = nonceTo(S0);
    assertThat(next).isNotEqualTo(first);
    stage.receive(S0, page(next, "c", false));
    assertThat(answers().pages().get(S0)).hasSize(2);
  }

  @Test
  void countsAnAnswerOnceAndOnlyFromWhomItWasAsked() {
    ask();
    long first = nonceTo(S0);
    long second = nonceTo(S1);
    stage.receive(S1, page(first, "stolen", false));
    stage.receive(S0, page(first, "a", false));
    stage.receive(S0, page(first, "again", false));
    stage.receive(S0, page(99, "made up", false));
    assertThat(stage.result()).isNull();
    stage.receive(S1, page(second, "b", false));
    assertThat(answers().pages().values()).hasSize(2);
  }

  @Test
  void asksASilentServerAgainAndGoesOnWithoutItInTime() {
    ask();
    stage.receive(S0, page(nonceTo(S0), "a", false));
    stage.fireNext();
    assertThat(stage.sends()).extracting(Effect.Send::to).containsExactly(S1);
    stage.fireNext();
    stage.fireNext();
    assertThat(stage.nanos).isEqualTo(TIMEOUT);
    assertThat(answers().pages().keySet()).containsExactly(S0);
    assertThat(answers().complete()).isEqualTo(ServerSet.of(S0));
  }

  @Test
  void endsTheEndlessStoryOfALiar() {
    ask();
    stage.receive(S1, page(nonceTo(S1), "b", false));
    ask();
    stage.receive(S1, page(nonceTo(S1), "b", false));
    ask();
    long nonce = nonceTo(S0);
    stage.receive(S1, page(nonceTo(S1), "b", false));
    for (int i = 0; i < Inquirer.MAX_PAGES; i++) {
      stage.receive(S0, page(nonce, "more " + i, true));
      if (stage.result() == null) {
        nonce = nonceTo(S0);
      }
    }
    assertThat(answers().pages().get(S0)).hasSize(Inquirer.MAX_PAGES);
    assertThat(answers().complete().contains(S0)).isFalse();
  }

  @Test
  void asksForNoMoreThanTheBeginningIfThatIsWanted() {
    stage = stage(2);
    ask();
    stage.receive(S1, page(nonceTo(S1), "b", false));
    ask();
    long nonce = nonceTo(S0);
    stage.receive(S1, page(nonceTo(S1), "b", false));
    stage.receive(S0, page(nonce, "a", true));
    assertThat(stage.result()).isNull();
    stage.receive(S0, page(nonceTo(S0), "c", true));
    assertThat(stage.sends()).isEmpty();
    assertThat(answers().pages().get(S0)).hasSize(2);
    assertThat(answers().complete()).isEqualTo(ServerSet.of(S1));
  }

  @Test
  void forgetsAQuestionThatWasGivenUp() {
    var call =
        stage.call(
            new Inquirer.Inquire<LockList>(nonce -> new ListLocks(nonce, "any", "", ""), TIMEOUT));
    long first = nonceTo(S0);
    stage.step(new Input.Cancelled<>(call));
    assertThat(stage.timers).isEmpty();
    stage.receive(S0, page(first, "late", false));
    assertThat(stage.effects).isEmpty();
  }
}
