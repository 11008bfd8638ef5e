package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealKind;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Expired;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.server.OrderingServer;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client whose clock is far behind an object that so many have used that some are forgotten. */
class ExpiredSessionTest {
  private static final String NAME = "text";
  private static final long HORIZON = 1_000_000;
  private static final Thresholds THRESHOLDS = Mode.SEALED_STATEMENTS.need().thresholds(4, 1);
  private static final ClientId SELF = new ClientId("late", 5, 1);
  private static final ClientId OTHER = new ClientId("other", 6, 1);

  private final SecretBytes key = SecretBytes.random(new SecureRandom());
  private final OrderSeals seals =
      OrderSeals.of("town", Sealer.hmac(key), SealVerifier.hmac(List.of(key)));
  private final List<OrderingServer> servers = new ArrayList<>();
  private final OrderingClient client =
      new OrderingClient(
          THRESHOLDS,
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          OpId.sessionOf(SELF),
          seals,
          () -> 4);
  private final List<Object> answers = new ArrayList<>();

  /** Long after the others were at work. */
  private final Moment now = new Moment(60_000_000_000L, /* wallMillis= */ 1);

  private long calls;

  @BeforeEach
  void start() {
    for (int i = 0; i < THRESHOLDS.servers(); i++) {
      servers.add(new OrderingServer(Mode.SEALED_STATEMENTS));
      servers.get(i).step(new Input.Started<>(List.of()), new Moment(0, 0));
    }
    client.step(new Input.Started<>(List.of()), new Moment(0, 0));
  }

  /** One more session than are remembered. */
  private static Entry manySessions() {
    List<SubmittedOperation> operations = new ArrayList<>();
    for (int i = 0; i <= Sessions.MAX_SESSIONS; i++) {
      OpId id = new OpId(100 + i, HORIZON + i);
      operations.add(
          new SubmittedOperation(id, id.sequence() - 1, Bytes.utf8("x"), Optional.empty()));
    }
    Tip<String> tip = new Tip<>(Replica.initial(GrowingText.MODEL, NAME));
    return tip.extend(operations, 1 << 20, Optional.empty(), 0).orElseThrow();
  }

  private void others(boolean commit) {
    Entry entry = manySessions();
    Rank rank = new Rank(1, OTHER.session());
    Statement proposal = seals.seal(SealKind.PROPOSE, NAME, rank, entry.state());
    for (OrderingServer server : servers) {
      server.step(
          new Input.Received<>(
              OTHER,
              new Propose(
                  NAME,
                  proposal,
                  seals.seal(NAME, rank.time(), rank.session()),
                  List.of(entry),
                  Optional.empty())),
          new Moment(0, 0));
      if (commit) {
        Statement committed = seals.seal(SealKind.COMMIT, NAME, rank, entry.state());
        server.step(
            new Input.Received<>(OTHER, new Commit(NAME, committed, Optional.empty())),
            new Moment(0, 0));
      }
    }
  }

  private Object submit() {
    SubmitOperation operation =
        new SubmitOperation(NAME, GrowingText.MODEL, Bytes.utf8("y"), /* timeoutNanos= */ 1L << 40);
    answers.clear();
    Queue<Runnable> network = new ArrayDeque<>();
    perform(client.step(new Input.Called<>(new CallId<>(++calls), operation), now), network);
    while (!network.isEmpty()) {
      network.remove().run();
    }
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private void perform(List<Effect<ServerId>> effects, Queue<Runnable> network) {
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send) {
        network.add(
            () -> {
              OrderingServer server = servers.get(send.to().index());
              for (Effect<ClientId> answer :
                  server.step(new Input.Received<>(SELF, send.message()), now)) {
                if (answer instanceof Effect.Send<ClientId> back && back.to().equals(SELF)) {
                  Input<ServerId> input = new Input.Received<>(send.to(), back.message());
                  network.add(() -> perform(client.step(input, now), network));
                }
              }
            });
      } else if (effect instanceof Effect.Complete<ServerId> complete) {
        answers.add(complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> fail) {
        answers.add(fail.reason());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isToldThatNobodyKnowsAndGoesOnAboveWhatIsExpired(boolean committed) {
    others(committed);
    Object first = submit();
    assertThat(first).isInstanceOf(UnknownOutcomeException.class);
    assertThat(((UnknownOutcomeException) first).id().sequence()).isLessThan(HORIZON);
    Object second = submit();
    assertThat(second).isInstanceOf(OperationResult.class);
    assertThat(((OperationResult) second).id().sequence()).isGreaterThan(HORIZON);
  }

  @Test
  void isToldSoByEnoughServersIfItOnlySubmits() {
    others(/* commit= */ true);
    OpId id = new OpId(OpId.sessionOf(SELF), 1);
    SubmittedOperation operation =
        seals.seal(NAME, new SubmittedOperation(id, 0, Bytes.utf8("y"), Optional.empty()));
    for (OrderingServer server : servers) {
      assertThat(server.step(new Input.Received<>(SELF, new Submit(NAME, operation)), now))
          .containsExactly(new Effect.Send<>(SELF, new Expired(NAME, id, HORIZON)));
    }
  }
}
