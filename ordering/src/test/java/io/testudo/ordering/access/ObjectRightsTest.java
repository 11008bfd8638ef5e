package io.testudo.ordering.access;

import static io.testudo.ordering.access.ObjectClientTest.failure;
import static io.testudo.ordering.access.ObjectClientTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SigningKey;
import io.testudo.crypto.VerifyingKey;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.ObjectsListener;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.Signers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rights to objects, as servers enforce them. */
@Timeout(60)
class ObjectRightsTest {
  private static final Rights RIGHTS =
      Rights.of(
          List.of(
              Grant.of("owner", Set.of(Right.READ, Right.SUBMIT, Right.ORDER), "shop/"),
              Grant.of("reader", Set.of(Right.READ), "shop/"),
              Grant.of("submitter", Set.of(Right.SUBMIT), "shop/"),
              Grant.of("customer", Set.of(Right.READ, Right.SUBMIT), "shop/")),
          List.of("nobody"));

  /** Far beyond the tests' own limits: a refusal must come without waiting for it. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private volatile Rights rights = RIGHTS;

  private ObjectCluster start(Mode mode) {
    ObjectBackend backend = new ObjectBackend(mode);
    return ObjectCluster.start(mode.need().leastServers(1), 1, backend, () -> rights);
  }

  private static CounterObject counter(ObjectClient client, String name) {
    return CounterObject.open(client, name).withTimeout(LONG);
  }

  private static boolean failed(CompletableFuture<?> future) throws Exception {
    try {
      get(future);
      return false;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(NotAllowedException.class);
      return true;
    }
  }

  private static void assertRefused(CompletableFuture<?> future, Right right, Outcome outcome)
      throws Exception {
    Throwable reason = failure(future);
    assertThat(reason).isInstanceOf(NotAllowedException.class);
    assertThat(((NotAllowedException) reason).right()).isEqualTo(right);
    assertThat(((NotAllowedException) reason).outcome()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void letsAReaderReadAndRefusesItsOperations(Mode mode) throws Exception {
    try (ObjectCluster cluster = start(mode);
        ObjectClient owner = cluster.client("owner");
        ObjectClient reader = cluster.client("reader")) {
      get(counter(owner, "shop/till").increment(7));

      assertThat(get(counter(reader, "shop/till").get())).isEqualTo(7);
      assertThat(get(counter(reader, "shop/till").getStale())).isEqualTo(7);
      assertRefused(counter(reader, "shop/till").increment(1), Right.SUBMIT, Outcome.UNKNOWN);
      assertThat(get(counter(owner, "shop/till").get())).isEqualTo(7);
    }
  }

  @Test
  void refusesWhoeverHasNoRightAndWhateverIsOutsideOfThePrefix() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient owner = cluster.client("owner");
        ObjectClient nobody = cluster.client("nobody")) {
      assertRefused(counter(nobody, "shop/till").get(), Right.READ, Outcome.DID_NOT_HAPPEN);
      assertRefused(counter(nobody, "shop/till").getStale(), Right.READ, Outcome.DID_NOT_HAPPEN);
      assertRefused(counter(nobody, "shop/till").increment(), Right.SUBMIT, Outcome.UNKNOWN);
      assertRefused(counter(owner, "bank/vault").get(), Right.READ, Outcome.DID_NOT_HAPPEN);
      for (String prefix : List.of("", "sho", "bank/")) {
        CompletableFuture<Object> ended = new CompletableFuture<>();
        Subscription unused =
            owner.watch(
                prefix,
                new ObjectsListener() {
                  @Override
                  public void onChange(ObjectChange change) {}

                  @Override
                  public void onEnd(TestudoException reason) {
                    ended.completeExceptionally(reason);
                  }
                });
        assertRefused(ended, Right.READ, Outcome.DID_NOT_HAPPEN);
      }
    }
  }

  @Test
  void hasTheOperationsOfASubmitterDoneByWhoeverMayOrder() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient owner = cluster.client("owner");
        ObjectClient submitter = cluster.client("submitter")) {
      CompletableFuture<Long> submitted = counter(submitter, "shop/till").increment(1000);
      while (!submitted.isDone()) {
        get(counter(owner, "shop/till").increment(1));
      }
      assertThat(get(submitted)).isGreaterThanOrEqualTo(1000);
      assertThat(get(counter(owner, "shop/till").get())).isGreaterThanOrEqualTo(1000);
    }
  }

  /** It would end what others have ordered, also what no operation of its type takes back. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void letsOnlyWhoMayOrderEndAnObject(Mode mode) throws Exception {
    try (ObjectCluster cluster = start(mode);
        ObjectClient owner = cluster.client("owner");
        ObjectClient submitter = cluster.client("submitter")) {
      get(counter(owner, "shop/till").increment(7));
      ReplicatedObject<Long> theirs = counter(submitter, "shop/till").object();
      TimeToLive moment = TimeToLive.of(Duration.ofMillis(1));
      assertRefused(theirs.delete(), Right.ORDER, Outcome.UNKNOWN);
      assertRefused(theirs.expireAfter(moment), Right.ORDER, Outcome.UNKNOWN);
      ReplicatedObject<Long> brief = counter(submitter, "shop/offer").object().createdWith(moment);
      assertRefused(brief.submit(CounterObject.ADD, 7L), Right.ORDER, Outcome.UNKNOWN);

      // What it may do it goes on to do.
      CompletableFuture<Long> submitted = counter(submitter, "shop/till").increment(1000);
      while (!submitted.isDone()) {
        get(counter(owner, "shop/till").increment(1));
      }
      assertThat(get(submitted)).isGreaterThanOrEqualTo(1007);
      assertThat(get(counter(owner, "shop/till").object().delete())).isTrue();
      assertThat(get(counter(owner, "shop/till").get())).isZero();
    }
  }

  /** Nobody is there to order the end of an object, and it can do nothing about it. */
  @Test
  void letsWhoMayNotOrderReadWhatHasEnded() throws Exception {
    SecureRandom random = new SecureRandom();
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        SigningKey ownersKey = SigningKey.generate(random);
        SigningKey customersKey = SigningKey.generate(random)) {
      Signers signers =
          Signers.of(
              Map.of("owner", ownersKey.verifyingKey(), "customer", customersKey.verifyingKey()),
              RIGHTS);
      try (ObjectClient owner =
          cluster
              .prepareClient("owner")
              .seals(ObjectSeals.signatures("town", ownersKey, signers))
              .build()) {
        ReplicatedObject<Long> offer = counter(owner, "shop/offer").object();
        TimeToLive moment = TimeToLive.of(Duration.ofMillis(1));
        get(offer.createdWith(moment).submit(CounterObject.ADD, 7L));
        while (get(offer.expiry()).isPresent()) {
          Thread.onSpinWait();
        }
      }
      try (ObjectClient customer =
          cluster
              .prepareClient("customer")
              .seals(ObjectSeals.signatures("town", customersKey, signers))
              .build()) {
        assertThat(get(counter(customer, "shop/offer").get())).isZero();
      }
    }
  }

  @Test
  void letsAClientGoOnWhenItIsGivenTheRight() throws Exception {
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        ObjectClient nobody = cluster.client("nobody")) {
      assertRefused(counter(nobody, "shop/till").get(), Right.READ, Outcome.DID_NOT_HAPPEN);
      rights =
          Rights.of(
              List.of(Grant.of("nobody", Set.of(Right.READ, Right.SUBMIT, Right.ORDER), "shop/")),
              List.of());
      // Refusals that were on their way when the right was given may still meet a call or two.
      CompletableFuture<Long> read = counter(nobody, "shop/till").get();
      while (failed(read)) {
        read = counter(nobody, "shop/till").get();
      }
      assertThat(get(read)).isZero();
      assertThat(get(counter(nobody, "shop/till").increment())).isEqualTo(1);
    }
  }

  @Test
  void letsReadersWithoutAnyKeyOfTheirOwnCheckSignatures() throws Exception {
    SecureRandom random = new SecureRandom();
    try (ObjectCluster cluster = start(Mode.SEALED_STATEMENTS);
        SigningKey ownersKey = SigningKey.generate(random);
        SigningKey submittersKey = SigningKey.generate(random)) {
      Map<String, VerifyingKey> keys = new HashMap<>();
      keys.put("owner", ownersKey.verifyingKey());
      keys.put("submitter", submittersKey.verifyingKey());
      try (ObjectClient owner =
              cluster
                  .prepareClient("owner")
                  .seals(ObjectSeals.signatures("town", ownersKey, Signers.of(keys, RIGHTS)))
                  .build();
          ObjectClient reader =
              cluster
                  .prepareClient("reader")
                  .seals(ObjectSeals.signatures("town", null, Signers.of(keys, RIGHTS)))
                  .build()) {
        assertThat(get(counter(owner, "shop/till").increment(7))).isEqualTo(7);
        assertThat(get(counter(reader, "shop/till").get())).isEqualTo(7);
        assertRefused(
            counter(reader, "shop/till").increment(), Right.SUBMIT, Outcome.DID_NOT_HAPPEN);
      }
    }
  }
}
