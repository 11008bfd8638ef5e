package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One of four servers says that somebody else orders, while the others report. */
class BusyServerTest {
  private static final String OBJECT = "text";
  private static final SecretBytes KEY =
      SecretBytes.copyOf("the key of all clients, not used".getBytes(StandardCharsets.US_ASCII));

  private final OrderingClient client =
      new OrderingClient(
          Mode.SEALED_STATEMENTS.need().thresholds(4, 1),
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          5,
          OrderSeals.of("test", Sealer.hmac(KEY), SealVerifier.hmac(List.of(KEY))),
          () -> 4);

  private final List<Object> results = new ArrayList<>();
  private final List<Message> sent = new ArrayList<>();

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, new Moment(1, 1_700_000_000_000L))) {
      if (effect instanceof Effect.Complete<ServerId> complete) {
        results.add(complete.result());
      } else if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      }
    }
  }

  private void hear(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  private <M> M last(Class<M> type) {
    return sent.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .reduce((one, other) -> other)
        .orElseThrow();
  }

  private void accept(int server) {
    Propose propose = last(Propose.class);
    hear(
        server,
        new Accepted(
            OBJECT,
            propose.proposal().rank(),
            propose.proposal().state().version(),
            Accepted.Stage.PROPOSED,
            List.of()));
  }

  /** Else the ballot would end before the last of them has answered, and nobody would order. */
  @Test
  void itsWordDoesNotCountAgainstWhatIsProposedThen() {
    step(new Input.Started<>(List.of()));
    step(
        new Input.Called<>(
            new CallId<>(1),
            new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), Long.MAX_VALUE / 4)));
    Get get = last(Get.class);
    hear(0, new Busy(OBJECT, get.rank(), new Rank(1, 9)));
    for (int server = 1; server < 4; server++) {
      hear(
          server,
          new Report(
              OBJECT, get.nonce(), Optional.empty(), Optional.empty(), List.of(), List.of()));
    }
    accept(1);
    accept(2);
    step(new Input.TimerFired<>(new BallotSender.Tick(OBJECT))); // The others had their time.
    assertThat(sent).noneMatch(EndTenure.class::isInstance);
    accept(0); // It has heard of our rank since.
    assertThat(results).hasSize(1);
  }
}
