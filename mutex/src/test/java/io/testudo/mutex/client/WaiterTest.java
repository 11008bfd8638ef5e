package io.testudo.mutex.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that cross with a caller who gives up: blocked threads and futures. */
@Timeout(120)
class WaiterTest {
  private final Asked asked = new Asked();

  /** Answers when told to. */
  private static final class Asked implements Asking<String> {
    final List<String> givenBack = new CopyOnWriteArrayList<>();
    volatile @Nullable CallListener<String> listener;
    volatile boolean withdrawn;
    Consumer<CallListener<String>> onStart = listener -> {};
    Runnable onWithdraw = () -> {};

    @Override
    public Withdrawal start(CallListener<String> whenDone) {
      listener = whenDone;
      onStart.accept(whenDone);
      return () -> {
        withdrawn = true;
        onWithdraw.run();
      };
    }

    void answer(String granted) {
      CallListener<String> waiting = listener;
      if (waiting == null) {
        throw new AssertionError("nobody has asked");
      }
      waiting.completed(granted);
    }

    @Override
    public void giveBack(String granted) {
      givenBack.add(granted);
    }

    @Override
    public TestudoException notInTime() {
      return new NotAcquiredException("orders");
    }
  }

  @Test
  void anAnswerThatCrossesTheWithdrawalOfAnInterruptedThreadIsGivenBack() {
    asked.onStart = listener -> Thread.currentThread().interrupt();
    asked.onWithdraw = () -> asked.answer("late");
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> Waiter.interruptibly(asked, Waiter.FOREVER));
    assertThat(asked.givenBack).containsExactly("late");
  }

  @Test
  void anAnswerAfterTheTimeIsGivenBack() {
    assertThatExceptionOfType(NotAcquiredException.class)
        .isThrownBy(() -> Waiter.uninterruptibly(asked, 0));
    assertThat(asked.withdrawn).isTrue();
    asked.answer("late");
    assertThat(asked.givenBack).containsExactly("late");
  }

  @Test
  void anAnswerThatIsThereIsTakenWithoutAWait() throws InterruptedException {
    asked.onStart = listener -> listener.completed("at once");
    assertThat(Waiter.interruptibly(asked, 0)).isEqualTo("at once");
    assertThat(asked.withdrawn).isFalse();
    assertThat(asked.givenBack).isEmpty();
  }

  @Test
  void aFailureShowsWhoAsked() throws Exception {
    TestudoException reason =
        InThread.<TestudoException>start(() -> new NotAcquiredException("orders")).result();
    asked.onStart = listener -> listener.failed(reason);
    assertThatExceptionOfType(NotAcquiredException.class)
        .isThrownBy(() -> Waiter.uninterruptibly(asked, 0))
        .satisfies(
            thrown ->
                assertThat(thrown.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("aFailureShowsWhoAsked")));
  }

  @Test
  void aCancelledFutureWithdrawsAndGivesBackWhatComesLate() {
    CompletableFuture<String> future = Promise.of(asked, Runnable::run);
    assertThat(future.cancel(false)).isTrue();
    assertThat(asked.withdrawn).isTrue();
    asked.answer("late");
    assertThat(asked.givenBack).containsExactly("late");
  }

  @Test
  void aFutureThatIsCancelledBetweenAnswerAndDeliveryGivesItBack() {
    List<Runnable> tasks = new CopyOnWriteArrayList<>();
    Executor slow = tasks::add;
    CompletableFuture<String> future = Promise.of(asked, slow);
    asked.answer("under way");
    assertThat(future.cancel(true)).isTrue();
    tasks.forEach(Runnable::run);
    assertThat(asked.givenBack).containsExactly("under way");
  }

  @Test
  void aFutureThatTimesOutWithdraws() {
    CompletableFuture<String> future = Promise.of(asked, Runnable::run);
    CompletableFuture<String> impatient = future.orTimeout(1, TimeUnit.MILLISECONDS);
    assertThat(impatient)
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(TimeoutException.class);
    Conditions.await("it is withdrawn", () -> asked.withdrawn);
  }

  @Test
  void aFutureThatWasGrantedIsNotWithdrawn() {
    CompletableFuture<String> future = Promise.of(asked, Runnable::run);
    asked.answer("granted");
    assertThat(future).isCompletedWithValue("granted");
    assertThat(future.cancel(false)).isFalse();
    assertThat(asked.withdrawn).isFalse();
    assertThat(asked.givenBack).isEmpty();
  }
}
