package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.SecretBytes;
import io.testudo.mutex.protocol.RankSeals.Verdict;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupRankSealsTest {
  private static SecretBytes key(int fill) {
    byte[] bytes = new byte[32];
    java.util.Arrays.fill(bytes, (byte) fill);
    return SecretBytes.copyOf(bytes);
  }

  private final RankSeals alice =
      GroupRankSeals.of("prod", Map.of("a/", key(1), "a/secret/", key(2)));
  private final RankSeals bob = GroupRankSeals.of("prod", Map.of("a/", key(1)));

  private static SealedRank sealed(RankSeals by, String lock, long time, long session) {
    return new SealedRank(time, session, by.seal(lock, time, session));
  }

  @Test
  void provesARankToOthersOfTheGroup() {
    assertThat(bob.check("a/x", sealed(alice, "a/x", 5, 7))).isEqualTo(Verdict.VALID);
  }

  @Test
  void provesNothingOfAnotherTimeSessionLockOrCluster() {
    SealedRank rank = sealed(alice, "a/x", 5, 7);
    assertThat(bob.check("a/x", new SealedRank(6, 7, rank.seal()))).isEqualTo(Verdict.FORGED);
    assertThat(bob.check("a/x", new SealedRank(5, 8, rank.seal()))).isEqualTo(Verdict.FORGED);
    assertThat(bob.check("a/y", rank)).isEqualTo(Verdict.FORGED);
    RankSeals elsewhere = GroupRankSeals.of("test", Map.of("a/", key(1)));
    assertThat(elsewhere.check("a/x", rank)).isEqualTo(Verdict.FORGED);
  }

  @Test
  void usesTheKeyOfTheLongestPrefix() {
    assertThat(alice.check("a/secret/x", sealed(bob, "a/secret/x", 5, 7)))
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void knowsNothingOfNamesWithoutAKey() {
    assertThat(alice.seal("b", 5, 7)).isEmpty();
    assertThat(alice.check("b", new SealedRank(5, 7, Optional.empty()))).isEqualTo(Verdict.UNKNOWN);
    assertThat(GroupRankSeals.of("prod", Map.of()).seal("a/x", 5, 7)).isEmpty();
  }
}
