package io.testudo.ordering.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SecretBytes;
import io.testudo.crypto.SigningKey;
import io.testudo.crypto.VerifyingKey;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.RankSeals.Verdict;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Rights;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectSealsTest {
  private static final SecureRandom RANDOM = new SecureRandom();

  private static Verdict verdict(RankSeals maker, RankSeals checker, String name) {
    return checker.check(name, new SealedRank(7, 8, maker.seal(name, 7, 8)));
  }

  @Test
  void takesTheKeyOfTheLongestPrefixForAnObjectAndForItsLock() {
    SecretBytes wide = SecretBytes.random(RANDOM);
    SecretBytes narrow = SecretBytes.random(RANDOM);
    ObjectSeals both = ObjectSeals.group("town", Map.of("shop", wide, "shop/till", narrow));
    ObjectSeals one = ObjectSeals.group("town", Map.of("shop", wide));
    OrderSeals ofBoth = both.forProtocol();
    OrderSeals ofOne = one.forProtocol();

    for (String turns : List.of("", Rights.OBJECT_LOCKS)) {
      assertThat(verdict(ofBoth, ofBoth, turns + "shop/till")).isEqualTo(Verdict.VALID);
      assertThat(verdict(ofBoth, ofOne, turns + "shop/till")).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(ofBoth, ofOne, turns + "shop/door")).isEqualTo(Verdict.VALID);
    }
    assertThat(ofBoth.seal("shop/door", 7, 8)).isPresent();
    assertThat(ofBoth.seal("bank", 7, 8)).isEmpty();
    assertThat(
            verdict(
                ofOne, ObjectSeals.group("city", Map.of("shop", wide)).forProtocol(), "shop/door"))
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
      Map<String, VerifyingKey> keys =
          Map.of("orderer", orderers.verifyingKey(), "submitter", submitters.verifyingKey());
      OrderSeals orderer = ObjectSeals.signatures("town", orderers, keys, rights).forProtocol();
      OrderSeals submitter = ObjectSeals.signatures("town", submitters, keys, rights).forProtocol();
      OrderSeals stranger = ObjectSeals.signatures("town", strangers, keys, rights).forProtocol();
      OrderSeals reader = ObjectSeals.signatures("town", null, keys, rights).forProtocol();

      assertThat(verdict(orderer, reader, "shop/till")).isEqualTo(Verdict.VALID);
      String lock = Rights.OBJECT_LOCKS + "shop/till";
      assertThat(verdict(orderer.ofLocks(), reader.ofLocks(), lock)).isEqualTo(Verdict.VALID);
      assertThat(verdict(submitter.ofLocks(), reader.ofLocks(), lock)).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(orderer, reader, "bank/vault")).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(submitter, reader, "shop/till")).isEqualTo(Verdict.UNKNOWN);
      assertThat(verdict(stranger, reader, "shop/till")).isEqualTo(Verdict.UNKNOWN);
      assertThat(reader.seal("shop/till", 7, 8)).isEmpty();
    }
  }

  @Test
  void doNotTakeTheRankOfALockForOneAtWhichAnObjectIsOrdered() {
    try (SecretBytes key = SecretBytes.random(RANDOM)) {
      OrderSeals seals = ObjectSeals.group("town", Map.of("", key)).forProtocol();
      assertThat(verdict(seals, seals, "jobs")).isEqualTo(Verdict.VALID);
      assertThat(verdict(seals.ofLocks(), seals, "jobs")).isEqualTo(Verdict.FORGED);
      assertThat(verdict(seals, seals.ofLocks(), "jobs")).isEqualTo(Verdict.FORGED);
    }
  }
}
