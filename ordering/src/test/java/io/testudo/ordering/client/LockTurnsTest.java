package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.message.Unattended;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that orders when it has the lock: four servers, of which one may lie. */
class LockTurnsTest {
  private static final String OBJECT = "text";
  private static final String LOCK = "object:text";
  private static final int SERVERS = 4;
  private static final int QUORUM = 3;
  private static final SecretBytes KEY =
      SecretBytes.copyOf("the key of all clients, not used".getBytes(StandardCharsets.US_ASCII));
  private static final OrderSeals SEALS =
      OrderSeals.of("test", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY)));

  /** What the test has the lock do. */
  private enum Word implements Message {
    GRANT,
    DENY,
    LOSE
  }

  /** A lock that is granted, denied and lost when the test says so. */
  private static final class LockOnDemand extends Machine<ServerId> {
    private final List<CallId<Held>> waiting = new ArrayList<>();
    private int asked;
    private int givenBack;

    LockOnDemand() {
      onCall(
          Acquire.class,
          (CallId<Held> id, Acquire acquire) -> {
            assertThat(acquire.lock()).isEqualTo(LOCK);
            asked++;
            waiting.add(id);
          });
      onCall(
          ReleaseCall.class,
          (CallId<Boolean> id, ReleaseCall release) -> {
            givenBack++;
            complete(id, true);
          });
      onMessage(Word.class, this::obey);
    }

    private void obey(ServerId from, Word word) {
      if (word == Word.LOSE) {
        tell(new LeaseLost(LOCK, asked));
        return;
      }
      CallId<Held> id = waiting.remove(0);
      if (word == Word.GRANT) {
        complete(id, new Held(LOCK, asked, new Term(now(), 1_000_000_000L)));
      } else {
        fail(id, new NotAcquiredException(LOCK));
      }
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      waiting.removeIf(id -> id.number() == call.number());
    }
  }

  private final LockOnDemand lock = new LockOnDemand();
  private final OrderingClient client =
      new OrderingClient(
          Mode.SEALED_STATEMENTS.need().thresholds(SERVERS, 1),
          Access.ALL,
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          5,
          SEALS,
          () -> 4,
          lock,
          TurnsBy.LOCK);

  private final List<Object> results = new ArrayList<>();
  private final List<Message> sent = new ArrayList<>();
  private final List<TimerKey> timers = new ArrayList<>();
  private long nowMillis = 1_000;
  private long calls;

  @BeforeEach
  void begin() {
    step(new Input.Started<>(List.of()));
    submit();
  }

  private void step(Input<ServerId> input) {
    Moment now = new Moment(nowMillis * 1_000_000, 1_700_000_000_000L + nowMillis);
    for (Effect<ServerId> effect : client.step(input, now)) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        results.add(complete.result());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.remove(timer.key());
        timers.add(timer.key());
      }
    }
  }

  private void submit() {
    step(
        new Input.Called<>(
            new CallId<>(++calls),
            new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), Long.MAX_VALUE / 4)));
  }

  private void hear(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private void ring(String timer) {
    TimerKey due =
        timers.stream()
            .filter(key -> key.getClass().getSimpleName().equals(timer))
            .findFirst()
            .orElseThrow();
    timers.remove(due);
    step(new Input.TimerFired<>(due));
  }

  private <M> M last(Class<M> type) {
    return sent.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .reduce((one, other) -> other)
        .orElseThrow();
  }

  private long sent(Class<?> type) {
    return sent.stream().filter(type::isInstance).count();
  }

  private void reports() {
    for (int server = 0; server < QUORUM; server++) {
      Optional<Statement> nothing = Optional.empty();
      hear(
          server,
          new Report(OBJECT, last(Get.class).nonce(), nothing, nothing, List.of(), List.of()));
    }
  }

  private void accept() {
    Propose propose = last(Propose.class);
    for (int server = 0; server < QUORUM; server++) {
      hear(
          server,
          new Accepted(
              OBJECT,
              propose.proposal().rank(),
              propose.proposal().state().version(),
              Accepted.Stage.PROPOSED,
              List.of()));
    }
  }

  private void order() {
    hear(0, Word.GRANT);
    reports();
    accept();
    assertThat(results).hasSize(1);
  }

  private void othersDoIt() {
    OpId id = last(Submit.class).operation().id();
    StateId state = new StateId(3, Digest.of(new byte[] {1}));
    for (int server = 0; server < QUORUM; server++) {
      hear(server, new Included(OBJECT, id, new Rank(1L << 60, 9), state, Bytes.utf8("3")));
    }
  }

  private void supersede() {
    Rank higher = new Rank(last(Get.class).rank().time() + 1, 9);
    for (int server = 0; server < 2; server++) {
      hear(
          server,
          new Superseded(
              OBJECT,
              last(Get.class).rank(),
              higher,
              SEALS.seal(OBJECT, higher.time(), higher.session())));
    }
  }

  @Test
  void tellsAllWhatItWantsDoneAndBeginsWhenItHasTheLock() {
    assertThat(lock.asked).isEqualTo(1);
    assertThat(sent(Submit.class)).isEqualTo(SERVERS); // All have to know where to reach us.
    assertThat(sent(Get.class)).isZero();

    hear(0, Word.GRANT);
    assertThat(sent(Get.class)).isEqualTo(SERVERS);
    assertThat(last(Get.class).courteous()).isFalse();
  }

  @Test
  void hasTheLockUntilItsTenureEnds() {
    order();
    assertThat(lock.givenBack).isZero();
    submit(); // It has the tenure still.
    accept();
    assertThat(results).hasSize(2);
    assertThat(lock.asked).isEqualTo(1);

    ring("Rested");
    assertThat(sent(EndTenure.class)).isEqualTo(SERVERS);
    assertThat(lock.givenBack).isEqualTo(1);
    long proposed = sent(Propose.class);
    submit();
    assertThat(lock.asked).isEqualTo(2);
    assertThat(sent(Propose.class)).isEqualTo(proposed);
  }

  /** Of two timers that ring at once, the one for its end comes first. */
  @Test
  void goesOnIfSomethingCameWhenItsTenureWasToEnd() {
    hear(0, Word.GRANT);
    submit();
    reports();
    accept();
    submit(); // One of two callers is back, so the other one is waited for.
    ring("Rested");
    assertThat(lock.givenBack).isZero();
    ring("Gathered");
    accept();
    assertThat(results).hasSize(3);
  }

  @Test
  void followsWhoeverDoesItsWorkAndAsksNoMore() {
    othersDoIt();
    assertThat(results).hasSize(1);
    assertThat(lock.waiting).isEmpty();

    submit();
    assertThat(lock.asked).isEqualTo(1);
    assertThat(sent(Submit.class)).isEqualTo(SERVERS + 2); // One of them is correct.
    hear(0, new Unattended(OBJECT));
    assertThat(lock.asked).isEqualTo(2);
    assertThat(sent(Get.class)).isZero();
  }

  @Test
  void asksForTheLockWhenNobodyDoesItsWork() {
    othersDoIt();
    submit();
    nowMillis += 1_000;
    ring("Patience");
    assertThat(lock.asked).isEqualTo(2);
    assertThat(sent(Get.class)).isZero();
  }

  @Test
  void takesTurnsByRankForAWhileIfItGetsNoLock() {
    hear(0, Word.DENY);
    assertThat(last(Get.class).courteous()).isTrue();
    reports();
    accept();
    assertThat(results).hasSize(1);
    ring("Rested");

    submit();
    assertThat(lock.asked).isEqualTo(1);
    assertThat(sent(Get.class)).isEqualTo(2 * SERVERS);
    supersede();
    nowMillis += 60_000;
    ring("Patience");
    assertThat(lock.asked).isEqualTo(2);
  }

  @Test
  void givesUpLockAndTenureWhenItIsAboutToBeClosed() {
    order();
    step(new Input.Called<>(new CallId<>(++calls), new EndTenures()));
    assertThat(sent(Commit.class)).isEqualTo(SERVERS);
    assertThat(sent(EndTenure.class)).isEqualTo(SERVERS);
    assertThat(lock.givenBack).isEqualTo(1);
    assertThat(results).contains(true);
  }

  @Test
  void beginsAnewWithTheLockButNotForEver() {
    hear(0, Word.GRANT);
    for (int begun = 1; begun <= 4; begun++) {
      assertThat(sent(Get.class)).isEqualTo((long) begun * SERVERS);
      assertThat(lock.givenBack).isZero();
      supersede();
    }
    assertThat(sent(Get.class)).isEqualTo(4 * SERVERS);
    assertThat(lock.givenBack).isEqualTo(1);
  }

  @Test
  void asksAnewForALockThatItLostAndGoesOnMeanwhile() {
    order();
    hear(0, Word.LOSE);
    assertThat(lock.asked).isEqualTo(2);
    submit();
    accept();
    assertThat(results).hasSize(2);
    submit();
    supersedeProposal();
    assertThat(sent(Get.class)).isEqualTo(SERVERS); // Whoever has the lock now goes on.
    assertThat(lock.waiting).isEmpty();
  }

  private void supersedeProposal() {
    Rank asked = last(Propose.class).proposal().rank();
    Rank higher = new Rank(asked.time() + 1, 9);
    for (int server = 0; server < 2; server++) {
      hear(
          server,
          new Superseded(
              OBJECT, asked, higher, SEALS.seal(OBJECT, higher.time(), higher.session())));
    }
  }
}
