package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Unattended;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client whose operation another one orders: four servers, of which one may lie. */
class InclusionsTest {
  private static final String OBJECT = "text";
  private static final SecretBytes KEY =
      SecretBytes.copyOf("the key of all clients, not used".getBytes(StandardCharsets.US_ASCII));
  private static final Rank HOLDER = new Rank(1L << 60, 9);

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
  private long nowMillis = 1_000;

  @BeforeEach
  void follow() {
    step(new Input.Started<>(List.of()));
    step(
        new Input.Called<>(
            new CallId<>(1),
            new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), Long.MAX_VALUE / 4)));
    Get get = last(Get.class);
    hear(0, new Busy(OBJECT, get.rank(), HOLDER));
    assertThat(sent(Submit.class)).isZero();
    hear(1, new Busy(OBJECT, get.rank(), HOLDER));
    assertThat(sent(Submit.class)).isEqualTo(2); // One of them is correct, and passes it on.
  }

  private void step(Input<ServerId> input) {
    Moment now = new Moment(nowMillis * 1_000_000, 1_700_000_000_000L + nowMillis);
    for (Effect<ServerId> effect : client.step(input, now)) {
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

  private long sent(Class<?> type) {
    return sent.stream().filter(type::isInstance).count();
  }

  private Included included(Rank rank, String result) {
    OpId id = last(Submit.class).operation().id();
    StateId state = new StateId(3, Digest.of(new byte[] {1}));
    return new Included(OBJECT, id, rank, state, Bytes.utf8(result));
  }

  @Test
  void believesAQuorumThatSaysTheSame() {
    hear(0, included(HOLDER, "3"));
    hear(0, included(HOLDER, "3"));
    hear(1, included(HOLDER, "3"));
    assertThat(results).isEmpty();
    hear(3, included(HOLDER, "3"));
    OpId id = last(Submit.class).operation().id();
    assertThat(results).containsExactly(new OperationResult(id, 3, Bytes.utf8("3")));
  }

  @Test
  void addsUpNeitherRanksNorResults() {
    hear(0, included(HOLDER, "3"));
    hear(1, included(new Rank(HOLDER.time() + 1, 9), "3"));
    hear(2, included(HOLDER, "4"));
    hear(3, included(HOLDER, "3"));
    assertThat(results).isEmpty();
    hear(1, included(HOLDER, "3")); // It may have been at a rank before, and say so later.
    assertThat(results).hasSize(1);
  }

  @Test
  void forgetsWhatWasSaidBeforeItWasSuspended() {
    hear(0, included(HOLDER, "3"));
    hear(1, included(HOLDER, "3"));
    nowMillis += 10_000;
    hear(2, included(HOLDER, "3"));
    assertThat(results).isEmpty();
    hear(0, included(HOLDER, "3"));
    hear(1, included(HOLDER, "3"));
    assertThat(results).hasSize(1);
  }

  @Test
  void asksAgainWhenNobodyOrdersButNotWithEveryWord() {
    long before = sent(Get.class);
    hear(2, new Unattended(OBJECT));
    assertThat(sent(Get.class)).isEqualTo(before + 4);
    Get get = last(Get.class);
    hear(0, new Busy(OBJECT, get.rank(), HOLDER));
    hear(1, new Busy(OBJECT, get.rank(), HOLDER));
    hear(2, new Unattended(OBJECT));
    assertThat(sent(Get.class)).isEqualTo(before + 4);
    assertThat(sent(Submit.class)).isEqualTo(2); // They have it.
  }

  @Test
  void saysThatItDoesNotOrderWhatIsRelayedToIt() {
    long before = sent(EndTenure.class);
    hear(3, new Relayed(OBJECT, HOLDER, List.of()));
    assertThat(sent(EndTenure.class)).isEqualTo(before + 1);
    assertThat(last(EndTenure.class)).isEqualTo(new EndTenure(OBJECT, HOLDER));
  }
}
