package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Superseded;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seals take long to check: a server that shows forged ones must not occupy a client with them. */
class ForgedSealsTest {
  private static final String OBJECT = "it";
  private static final ServerId LIAR = new ServerId(3);

  private final SecretBytes key = SecretBytes.random(new SecureRandom());
  private final SealVerifier verifier = SealVerifier.hmac(List.of(key));
  private final Sealer forger = Sealer.hmac(SecretBytes.random(new SecureRandom()));
  private final OrderSeals honest = OrderSeals.of("town", Sealer.hmac(key), verifier);
  private final OrderSeals forged = OrderSeals.of("town", forger, verifier);
  private int checks;

  private final OrderingClient client =
      new OrderingClient(
          Mode.SEALED_STATEMENTS.need().thresholds(4, 1),
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          5,
          OrderSeals.of(
              "town",
              Sealer.hmac(key),
              (context, body, seal) -> {
                checks++;
                return verifier.verify(context, body, seal);
              }),
          () -> 4);

  private final List<Message> sent = new ArrayList<>();

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, new Moment(7, 1_000))) {
      if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      }
    }
  }

  @BeforeEach
  void beginABallot() {
    step(new Input.Started<>(List.of()));
    step(
        new Input.Called<>(
            new CallId<>(1),
            new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), 1_000_000)));
  }

  private Get get() {
    return (Get) sent.stream().filter(Get.class::isInstance).findFirst().orElseThrow();
  }

  private Report report(List<SubmittedOperation> pending) {
    return new Report(
        OBJECT, get().nonce(), Optional.empty(), Optional.empty(), pending, List.of());
  }

  private static SubmittedOperation operation(OrderSeals seals, int session) {
    return seals.seal(
        OBJECT, new SubmittedOperation(new OpId(session, 1), 0, Bytes.utf8("x"), Optional.empty()));
  }

  @Test
  void checksFewForgedOperationsOfAServerAndThoseOfOthersAllTheSame() {
    List<SubmittedOperation> pending = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      pending.add(operation(forged, 100 + i));
    }
    for (int again = 0; again < 10; again++) {
      step(new Input.Received<>(LIAR, report(pending)));
    }
    assertThat(checks).isBetween(1, ClientCore.MAX_FORGED);
    step(new Input.Received<>(new ServerId(0), report(List.of(operation(honest, 1)))));
    assertThat(checks).isEqualTo(ClientCore.MAX_FORGED + 1);
  }

  @Test
  void checksFewForgedRefusals() {
    Rank higher = new Rank(get().rank().time() + 1, 1);
    for (int i = 0; i < 10_000; i++) {
      step(
          new Input.Received<>(
              LIAR,
              new Superseded(
                  OBJECT,
                  get().rank(),
                  higher,
                  forged.seal(OBJECT, higher.time(), higher.session()))));
    }
    assertThat(checks).isBetween(1, ClientCore.MAX_FORGED);
  }
}
