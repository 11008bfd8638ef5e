package io.testudo.ordering.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SealKind;
import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.RankSeals.Verdict;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import io.testudo.quorum.cluster.Signers;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectSealsTest {
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final long SESSION = 8;

  private static Verdict verdict(RankSeals maker, RankSeals checker, String name) {
    return verdict(maker, checker, name, SESSION);
  }

  private static Verdict verdict(RankSeals maker, RankSeals checker, String name, long session) {
    return checker.check(name, new SealedRank(7, session, maker.seal(name, 7, session)));
  }

  @Test
  void takesTheKeyOfTheLongestPrefixForAnObjectAndForItsLock() {
    SecretBytes wide = SecretBytes.random(RANDOM);
    SecretBytes narrow = SecretBytes.random(RANDOM);
    ObjectSeals both = ObjectSeals.group("town", Map.of("shop", wide, "shop/till", narrow));
    ObjectSeals one = ObjectSeals.group("town", Map.of("shop", wide));
    OrderSeals ofBoth = both.forProtocol(0);
    OrderSeals ofOne = one.forProtocol(0);

    for (String turns : List.of("", Rights.OBJECT_LOCKS)) {
      assertThat(verdict(ofBoth, ofBoth, turns + "shop/till")).isEqualTo(Verdict.VALID);
      assertThat(verdict(ofBoth, ofOne, turns + "shop/till")).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(ofBoth, ofOne, turns + "shop/door")).isEqualTo(Verdict.VALID);
    }
    assertThat(ofBoth.seal("shop/door", 7, 8)).isPresent();
    assertThat(ofBoth.seal("bank", 7, 8)).isEmpty();
    assertThat(
            verdict(
                ofOne, ObjectSeals.group("city", Map.of("shop", wide)).forProtocol(0), "shop/door"))
        .isEqualTo(Verdict.FORGED);
  }

  @Test
  void countsSignaturesOfThoseOnlyWhoMayOrderTheObject() {
    Rights rights =
        Rights.of(
            List.of(
                Grant.of("orderer", Set.of(Right.ORDER), "shop/"),
                Grant.of("submitter", Set.of(Right.SUBMIT), "shop/")),
            List.of());
    try (SigningKey orderers = SigningKey.generate(RANDOM);
        SigningKey submitters = SigningKey.generate(RANDOM);
        SigningKey strangers = SigningKey.generate(RANDOM)) {
      Signers signers =
          Signers.of(
              Map.of("orderer", orderers.verifyingKey(), "submitter", submitters.verifyingKey()),
              rights);
      // They grant themselves what they like.
      Rights claimed =
          Rights.of(
              List.of(
                  Grant.of("submitter", Set.of(Right.ORDER, Right.LOCK), ""),
                  Grant.of("orderer", Set.of(Right.ORDER), ""),
                  Grant.of("stranger", Set.of(Right.ORDER), "")),
              List.of());
      OrderSeals orderer = signed(orderers, "orderer", claimed);
      OrderSeals submitter = signed(submitters, "submitter", claimed);
      OrderSeals stranger = signed(strangers, "stranger", claimed);
      OrderSeals reader = ObjectSeals.signatures("town", null, signers).forProtocol(0);
      long session = OpId.sessionOf("orderer", SESSION);

      assertThat(verdict(orderer, reader, "shop/till", session)).isEqualTo(Verdict.VALID);
      String lock = Rights.OBJECT_LOCKS + "shop/till";
      assertThat(verdict(orderer.ofLocks(), reader.ofLocks(), lock, SESSION))
          .isEqualTo(Verdict.VALID);
      assertThat(verdict(submitter.ofLocks(), reader.ofLocks(), lock, SESSION))
          .isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(orderer, reader, "bank/vault", session)).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(submitter, reader, "shop/till", session)).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(stranger, reader, "shop/till", session)).isEqualTo(Verdict.UNKNOWN);
      assertThat(reader.seal("shop/till", 7, 8)).isEmpty();
    }
  }

  private static OrderSeals signed(SigningKey key, String principal, Rights rights) {
    Signers self = Signers.of(Map.of(principal, key.verifyingKey()), rights);
    return ObjectSeals.signatures("town", key, self).forProtocol(SESSION);
  }

  @Test
  void signNothingThatTheirOwnerMayNotSay() {
    Rights rights = Rights.of(List.of(Grant.of("bob", Set.of(Right.SUBMIT), "shop/")), List.of());
    try (SigningKey bobs = SigningKey.generate(RANDOM)) {
      OrderSeals bob = signed(bobs, "bob", rights);
      assertThat(bob.canSeal(SealKind.OP, "shop/till")).isTrue();
      assertThat(bob.canSeal(SealKind.TURN, "shop/till")).isFalse();
      assertThat(bob.canSeal(SealKind.OP, "bank/vault")).isFalse();
      assertThat(bob.canSeal("shop/till", Bytes.copyOf(new byte[] {1}))).isTrue();
      assertThat(bob.canSeal("shop/till", LifeOperations.settle())).isTrue();
      assertThat(bob.canSeal("shop/till", LifeOperations.delete())).isFalse();
      assertThat(bob.ofLocks().seal("shop/till", 7, SESSION)).isEmpty();
    }
  }

  /** What one that may do everything can say in the name of another, with all that it has. */
  private record Forgeries(SubmittedOperation operation, Statement statement, SealedRank rank) {
    static final String OBJECT = "shop/till";

    static Forgeries by(OrderSeals forger, long session) {
      SubmittedOperation operation =
          new SubmittedOperation(
              new OpId(session, 1), 0, Bytes.copyOf(new byte[] {1}), Optional.empty());
      Rank rank = new Rank(7, session);
      return new Forgeries(
          forger.seal(OBJECT, operation),
          forger.seal(SealKind.COMMIT, OBJECT, rank, StateId.genesis(OBJECT)),
          new SealedRank(7, session, forger.seal(OBJECT, 7, session)));
    }

    List<Boolean> areBelievedBy(OrderSeals checker) {
      return List.of(
          checker.isValid(OBJECT, operation),
          checker.isValid(SealKind.COMMIT, OBJECT, statement),
          checker.check(OBJECT, rank) == Verdict.VALID);
    }
  }

  @Test
  void doNotLetOnePrincipalSpeakForAnotherIfTheyAreSignatures() {
    Rights rights =
        Rights.of(
            List.of(
                Grant.of("alice", EnumSet.allOf(Right.class), ""),
                Grant.of("rogue", EnumSet.allOf(Right.class), "")),
            List.of());
    try (SigningKey alices = SigningKey.generate(RANDOM);
        SigningKey rogues = SigningKey.generate(RANDOM)) {
      Signers signers =
          Signers.of(
              Map.of("alice", alices.verifyingKey(), "rogue", rogues.verifyingKey()), rights);
      OrderSeals alice = ObjectSeals.signatures("town", alices, signers).forProtocol(SESSION);
      OrderSeals rogue = ObjectSeals.signatures("town", rogues, signers).forProtocol(SESSION);
      OrderSeals reader = ObjectSeals.signatures("town", null, signers).forProtocol(0);
      long session = OpId.sessionOf("alice", SESSION);

      assertThat(Forgeries.by(alice, session).areBelievedBy(reader)).containsOnly(true);
      assertThat(Forgeries.by(rogue, session).areBelievedBy(reader)).containsOnly(false);
      long own = OpId.sessionOf("rogue", SESSION);
      assertThat(Forgeries.by(rogue, own).areBelievedBy(reader)).containsOnly(true);
    }
  }

  /** Where a group shares a key, whoever has it is everybody: that is what signatures are for. */
  @Test
  void letOnePrincipalSpeakForAnotherIfTheyShareTheKey() {
    try (SecretBytes key = SecretBytes.random(RANDOM)) {
      OrderSeals rogue = ObjectSeals.group("town", Map.of("", key)).forProtocol(SESSION);
      OrderSeals reader = ObjectSeals.group("town", Map.of("", key)).forProtocol(0);
      long session = OpId.sessionOf("alice", SESSION);
      assertThat(Forgeries.by(rogue, session).areBelievedBy(reader)).containsOnly(true);
    }
  }

  @Test
  void takeNoCodeOfAGroupForASignature() {
    Rights rights =
        Rights.of(List.of(Grant.of("alice", EnumSet.allOf(Right.class), "")), List.of());
    try (SecretBytes key = SecretBytes.random(RANDOM);
        SigningKey alices = SigningKey.generate(RANDOM)) {
      OrderSeals rogue = ObjectSeals.group("town", Map.of("", key)).forProtocol(SESSION);
      Signers signers = Signers.of(Map.of("alice", alices.verifyingKey()), rights);
      OrderSeals reader = ObjectSeals.signatures("town", null, signers).forProtocol(0);
      long session = OpId.sessionOf("alice", SESSION);
      assertThat(Forgeries.by(rogue, session).areBelievedBy(reader)).containsOnly(false);
    }
  }

  @Test
  void rememberWhatTheyCheckedAndNothingElse() {
    Rights rights =
        Rights.of(List.of(Grant.of("alice", EnumSet.allOf(Right.class), "")), List.of());
    try (SigningKey alices = SigningKey.generate(RANDOM)) {
      Signers signers = Signers.of(Map.of("alice", alices.verifyingKey()), rights);
      OrderSeals alice = ObjectSeals.signatures("town", alices, signers).forProtocol(SESSION);
      OrderSeals reader = ObjectSeals.signatures("town", null, signers).forProtocol(0);
      long session = OpId.sessionOf("alice", SESSION);
      SealedRank rank = new SealedRank(7, session, alice.seal("shop", 7, session));
      for (int i = 0; i < 2; i++) {
        assertThat(reader.check("shop", rank)).isEqualTo(Verdict.VALID);
        assertThat(reader.check("shop", new SealedRank(8, session, rank.seal())))
            .isEqualTo(Verdict.FORGED);
        assertThat(reader.check("bank", rank)).isEqualTo(Verdict.FORGED);
      }
    }
  }

  @Test
  void doNotTakeTheRankOfALockForOneAtWhichAnObjectIsOrdered() {
    try (SecretBytes key = SecretBytes.random(RANDOM)) {
      OrderSeals seals = ObjectSeals.group("town", Map.of("", key)).forProtocol(0);
      assertThat(verdict(seals, seals, "jobs")).isEqualTo(Verdict.VALID);
      assertThat(verdict(seals.ofLocks(), seals, "jobs")).isEqualTo(Verdict.FORGED);
      assertThat(verdict(seals, seals.ofLocks(), "jobs")).isEqualTo(Verdict.FORGED);
    }
  }
}
