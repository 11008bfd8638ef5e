package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealContext;
import io.testudo.crypto.SealVerifier;
import io.testudo.crypto.Sealer;
import io.testudo.crypto.SecretBytes;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who orders lacks the key of a submitter: some clients have new keys already, and others not yet.
 * The operation is done all the same, and at once, if one of those who tell of it is correct.
 */
class KeysBeingReplacedTest {
  private static final String OBJECT = "it";
  private static final OpId THEIRS = new OpId(77, 1);

  private final SecretBytes key = SecretBytes.random(new SecureRandom());
  private final Set<Seal> unknown = new HashSet<>();
  private final OrderSeals newer =
      OrderSeals.of(
          "town",
          Sealer.hmac(SecretBytes.random(new SecureRandom())),
          SealVerifier.hmac(List.of(key)));
  private final List<Message> sent = new ArrayList<>();
  private final Set<TimerKey> timers = new HashSet<>();
  private long nanos = 7;

  private final OrderingClient client =
      new OrderingClient(
          Mode.SEALED_STATEMENTS.need().thresholds(4, 1),
          Mode.SEALED_STATEMENTS,
          OrderTiming.standard(),
          5,
          OrderSeals.of("town", Sealer.hmac(key), new Older(SealVerifier.hmac(List.of(key)))),
          () -> 4);

  /** Tells seals of newer keys from forged ones, as the epochs in real ones do. */
  private final class Older implements SealVerifier {
    private final SealVerifier own;

    Older(SealVerifier own) {
      this.own = own;
    }

    @Override
    public boolean verify(SealContext context, byte[] body, Seal seal) {
      return own.verify(context, body, seal);
    }

    @Override
    public boolean knows(SealContext context, Seal seal) {
      return !unknown.contains(seal);
    }
  }

  private void step(Input<ServerId> input) {
    nanos += 1_000_000;
    for (Effect<ServerId> effect : client.step(input, new Moment(nanos, 1_000))) {
      if (effect instanceof Effect.Send<ServerId> send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.SetTimer<ServerId> timer && timer.delayNanos() == 0) {
        timers.add(timer.key());
      }
    }
    for (TimerKey due : List.copyOf(timers)) {
      timers.remove(due);
      step(new Input.TimerFired<>(due));
    }
  }

  private <M> M first(Class<M> type) {
    return type.cast(sent.stream().filter(type::isInstance).findFirst().orElseThrow());
  }

  private SubmittedOperation theirs() {
    SubmittedOperation operation =
        newer.seal(OBJECT, new SubmittedOperation(THEIRS, 0, Bytes.utf8("x"), Optional.empty()));
    unknown.add(operation.seal().orElseThrow());
    return operation;
  }

  @BeforeEach
  void haveTheTenure() {
    step(new Input.Started<>(List.of()));
    step(
        new Input.Called<>(
            new CallId<>(1),
            new SubmitOperation(OBJECT, GrowingText.MODEL, Bytes.utf8("a"), 1_000_000_000_000L)));
    Get get = first(Get.class);
    for (int server = 0; server < 3; server++) {
      step(
          new Input.Received<>(
              new ServerId(server),
              new Report(
                  OBJECT, get.nonce(), Optional.empty(), Optional.empty(), List.of(), List.of())));
    }
    assertThat(first(Propose.class).entries()).hasSize(1);
  }

  private void relays(int server, SubmittedOperation operation) {
    step(
        new Input.Received<>(
            new ServerId(server),
            new Relayed(OBJECT, first(Get.class).rank(), List.of(operation))));
  }

  private boolean isProposed() {
    return sent.stream()
        .filter(Propose.class::isInstance)
        .flatMap(message -> ((Propose) message).entries().stream())
        .flatMap(entry -> EntryBody.read(entry.body()).done().stream())
        .anyMatch(done -> done.id().equals(THEIRS));
  }

  private void lettingProposalsFollow() {
    nanos += 1_000_000_000L;
    for (int i = 0; i < 3; i++) {
      step(new Input.TimerFired<>(new Proposer.Gathered(OBJECT)));
    }
  }

  @Test
  void isDoneIfOneOfThoseWhoTellOfItIsCorrect() {
    SubmittedOperation operation = theirs();
    relays(0, operation);
    lettingProposalsFollow();
    assertThat(isProposed()).as("on the word of one, which may lie").isFalse();

    relays(0, operation);
    lettingProposalsFollow();
    assertThat(isProposed()).as("on the word of one that says it twice").isFalse();

    relays(1, operation);
    lettingProposalsFollow();
    assertThat(isProposed()).isTrue();
  }

  @Test
  void isNotDoneIfItsSealIsForgedWhoeverTellsOfIt() {
    SubmittedOperation operation = theirs();
    unknown.clear(); // The key that it names is known, and did not make it.
    for (int server = 0; server < 4; server++) {
      relays(server, operation);
    }
    lettingProposalsFollow();
    assertThat(isProposed()).isFalse();
  }

  @Test
  void isNotDoneIfItHasNoSeal() {
    for (int server = 0; server < 4; server++) {
      relays(server, new SubmittedOperation(THEIRS, 0, Bytes.utf8("x"), Optional.empty()));
    }
    lettingProposalsFollow();
    assertThat(isProposed()).isFalse();
  }
}
