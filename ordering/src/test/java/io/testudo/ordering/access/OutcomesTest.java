package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.failure;
import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.testudo.ordering.Applied;
import io.testudo.ordering.ObjectLimits;
import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.OperationId;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.ResultExpiredException;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.ValueTooLargeException;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.objects.LogObject;
import io.testudo.ordering.objects.RegisterObject;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers hear when things go wrong, and what they can do then. */
@Timeout(60)
class OutcomesTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  @AutoClose private final ObjectCluster cluster = ObjectCluster.start(4, 1);
  @AutoClose private final ObjectClient client = cluster.client("alice");
  private final CounterObject counter = CounterObject.open(client, "visits");

  private void stopMost() {
    cluster.stop(new ServerId(1));
    cluster.stop(new ServerId(2));
  }

  private void restartMost() {
    cluster.restart(new ServerId(1));
    cluster.restart(new ServerId(2));
  }

  /** An operation whose time is over while too few servers are there. */
  private OperationId overdue() throws Exception {
    get(counter.increment(1));
    stopMost();
    Throwable reason = failure(counter.withTimeout(SHORT).increment(10));
    assertThat(reason).isInstanceOf(UnknownOutcomeException.class);
    assertThat(((UnknownOutcomeException) reason).outcome()).isEqualTo(Outcome.UNKNOWN);
    return ((UnknownOutcomeException) reason).id();
  }

  @Test
  void doesAnOverdueOperationOnceHoweverOftenOneAsks() throws Exception {
    OperationId id = overdue();
    ReplicatedObject<Long> object = counter.object();
    Throwable again = failure(object.withTimeout(SHORT).outcomeOf(id, CounterObject.ADD));
    assertThat(((UnknownOutcomeException) again).id()).isEqualTo(id);

    restartMost();
    Applied<Long> applied = get(object.outcomeOf(id, CounterObject.ADD)).orElseThrow();
    assertThat(applied.result()).isEqualTo(11);
    assertThat(applied.id()).isEqualTo(id);
    assertThat(get(object.outcomeOf(id, CounterObject.ADD))).contains(applied);
    assertThat(get(counter.get())).isEqualTo(11);
  }

  @Test
  void tellsOtherClientsWhatCameOfAnOperation() throws Exception {
    OperationId id = overdue();
    restartMost();
    Applied<Long> applied = get(counter.object().outcomeOf(id, CounterObject.ADD)).orElseThrow();
    try (ObjectClient other = cluster.client("bob")) {
      ReplicatedObject<Long> theirs = CounterObject.open(other, "visits").object();
      assertThat(get(theirs.outcomeOf(id, CounterObject.ADD))).contains(applied);
      OperationId never = new OperationId(id.session(), id.sequence() + 99);
      assertThat(get(theirs.outcomeOf(never, CounterObject.ADD))).isEmpty();
    }
  }

  @Test
  void saysSoIfAResultIsNoLongerKept() throws Exception {
    Applied<Long> first = get(counter.object().submitTraced(CounterObject.ADD, 1L));
    get(counter.increment());
    get(counter.increment());
    try (ObjectClient other = cluster.client("bob")) {
      Throwable reason =
          failure(
              CounterObject.open(other, "visits")
                  .object()
                  .outcomeOf(first.id(), CounterObject.ADD));
      assertThat(reason).isInstanceOf(ResultExpiredException.class);
      assertThat(((ResultExpiredException) reason).outcome()).isEqualTo(Outcome.HAPPENED);
    }
  }

  @Test
  void goesOnWithWhatFollowsAnOverdueOperation() throws Exception {
    OperationId id = overdue();
    CompletableFuture<Long> next = counter.increment(100);
    restartMost();
    assertThat(get(next)).isEqualTo(111);
    assertThat(get(counter.object().outcomeOf(id, CounterObject.ADD)).orElseThrow().result())
        .isEqualTo(11);
  }

  @Test
  void endsReadsInTimeAndSaysThatTooFewAnswer() throws Exception {
    get(counter.increment());
    stopMost();
    Throwable read = failure(counter.withTimeout(SHORT).get());
    assertThat(read).isInstanceOf(NoQuorumException.class);
    assertThat(((NoQuorumException) read).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    assertThat(failure(counter.withTimeout(SHORT).getStale()))
        .isInstanceOf(NoQuorumException.class);
  }

  @Test
  void sendsNothingOfAClientThatNeverSawTheObjectWhileTooFewAnswer() throws Exception {
    stopMost();
    Throwable reason = failure(counter.withTimeout(SHORT).increment());
    assertThat(reason).isInstanceOf(NoQuorumException.class);
    assertThat(((NoQuorumException) reason).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    restartMost();
    assertThat(get(counter.get())).isZero();
  }

  @Test
  void lettingGoOfAnOperationDoesNotUndoIt() throws Exception {
    get(counter.increment());
    CompletableFuture<Long> cancelled = counter.increment(10);
    cancelled.cancel(true);
    assertThat(get(counter.increment(100))).isIn(101L, 111L);
  }

  @Test
  void tellsTheSubmitterWhatItsOperationThrew() throws Exception {
    get(counter.set(Long.MAX_VALUE));
    Throwable reason = failure(counter.increment());
    assertThat(reason)
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("add on 'visits' failed: long overflow");
    assertThat(((OperationFailedException) reason).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
    assertThat(get(counter.get())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void refusesWhatIsTooLargeBeforeAnythingIsSent() throws Exception {
    RegisterObject register = RegisterObject.open(client, "blob");
    Bytes large = Bytes.copyOf(new byte[ObjectLimits.MAX_ARGUMENT_BYTES + 1]);
    CompletableFuture<?> refused = register.set(large);
    assertThat(refused).isCompletedExceptionally();
    assertThat(failure(refused)).isInstanceOf(ValueTooLargeException.class);
    assertNotWorthRetrying(failure(refused));
    assertThat(get(register.get())).isEmpty();
  }

  @Test
  void refusesWhatWouldMakeTheObjectTooLargeAndGoesOn() throws Exception {
    LogObject log = LogObject.open(client, "log");
    Bytes part = Bytes.copyOf(new byte[1 << 19]);
    get(log.append(part));
    get(log.append(part));
    Throwable reason = failure(log.append(part));
    assertThat(reason)
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessageContaining("too large: the state of log");
    assertNotWorthRetrying(reason);
    assertThat(get(log.truncate(1))).isEqualTo(1);
    assertThat(get(log.append(part))).isEqualTo(2);
  }

  @Test
  void refusesAnObjectOfAnotherTypeAndLeavesItAsItIs() throws Exception {
    get(counter.increment(7));
    try (ObjectClient other = cluster.client("bob")) {
      RegisterObject wrong = RegisterObject.open(other, "visits");
      for (CompletableFuture<?> call :
          new CompletableFuture<?>[] {wrong.set("x"), wrong.get(), wrong.getStale()}) {
        Throwable reason = failure(call);
        assertThat(reason)
            .isInstanceOf(ObjectTypeException.class)
            .hasMessageContaining("'visits' cannot be read here: it is of the type with number 1");
        assertThat(((ObjectTypeException) reason).outcome()).isEqualTo(Outcome.DID_NOT_HAPPEN);
        assertNotWorthRetrying(reason);
      }
    }
    assertThat(get(counter.increment(1))).isEqualTo(8);
  }

  @Test
  void refusesTwoTypesForOneNameInOneProcess() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> RegisterObject.open(client, "visits"))
        .withMessageContaining("'visits' is open as counter(1, version 1)");
  }

  @Test
  void endsCallsInProgressWhenTheClientIsClosed() throws Exception {
    get(counter.increment());
    stopMost();
    CompletableFuture<Long> open = counter.increment();
    client.close();
    assertClosed(open, Outcome.UNKNOWN);
    assertClosed(counter.increment(), Outcome.DID_NOT_HAPPEN);
  }

  @Test
  void neverSaysOfAReadThatItMayHaveHappened() throws Exception {
    get(counter.increment());
    stopMost();
    CompletableFuture<Long> read = counter.get();
    CompletableFuture<Long> staleRead = counter.getStale();
    client.close();
    assertClosed(read, Outcome.DID_NOT_HAPPEN);
    assertClosed(staleRead, Outcome.DID_NOT_HAPPEN);
    assertClosed(counter.get(), Outcome.DID_NOT_HAPPEN);
    OperationId some = new OperationId(1, 1);
    assertClosed(counter.object().outcomeOf(some, CounterObject.ADD), Outcome.UNKNOWN);
  }

  private static void assertClosed(CompletableFuture<?> call, Outcome outcome) throws Exception {
    Throwable reason = failure(call);
    assertThat(reason).isInstanceOf(ClosedException.class);
    assertThat(((ClosedException) reason).outcome()).isEqualTo(outcome);
    assertNotWorthRetrying(reason);
  }

  private static void assertNotWorthRetrying(Throwable reason) {
    assertThat(((TestudoException) reason).isWorthRetrying()).isFalse();
    assertThat(reason)
        .hasMessageContaining("the same call would fail again; ")
        .hasMessageNotContaining("trying again is safe");
  }

  @Test
  void refusesNamesAndTimesThatMakeNoSense() {
    for (String name : new String[] {"", "x".repeat(501), "\ud83d"}) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> CounterObject.open(client, name));
    }
    for (Duration limit : new Duration[] {Duration.ZERO, SHORT.negated(), Duration.ofDays(366)}) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> counter.withTimeout(limit));
    }
  }

  @Test
  void keepsNoResultForAnIdThatNobodyHas() throws Exception {
    Optional<Applied<Long>> nothing =
        get(counter.object().outcomeOf(new OperationId(1, 1), CounterObject.ADD));
    assertThat(nothing).isEmpty();
  }
}
