package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S1 = new ServerId(1);
  private static final ServerId S2 = new ServerId(2);
  private static final ServerId S3 = new ServerId(3);

  private final Tally<String> tally = new Tally<>(4);

  @Test
  void countsEachServerOnceHoweverOftenItAnswers() {
    assertThat(tally.add(S0, "free")).isTrue();
    assertThat(tally.add(S0, "free")).isFalse();
    assertThat(tally.add(S0, "free")).isFalse();

    assertThat(tally.answered()).isEqualTo(1);
    assertThat(tally.count("free")).isEqualTo(1);
    assertThat(tally.equivocators()).isEqualTo(ServerSet.none());
  }

  @Test
  void keepsTheFirstAnswerOfAnEquivocatorAndRemembersIt() {
    tally.add(S0, "free");
    tally.add(S1, "locked");

    assertThat(tally.add(S0, "locked")).isFalse();
    assertThat(tally.add(S1, "a third thing")).isFalse();

    assertThat(tally.equivocators()).containsExactly(S0, S1);
    assertThat(tally.from(S0)).contains("free");
    assertThat(tally.count("locked")).isEqualTo(1);
    assertThat(tally.count("a third thing")).isZero();
    assertThat(tally.servers()).containsExactly(S0, S1);
  }

  @Test
  void anEquivocatorStaysOneWhenItReturnsToItsFirstAnswer() {
    tally.add(S0, "free");
    tally.add(S0, "locked");
    tally.add(S0, "free");

    assertThat(tally.equivocators()).containsExactly(S0);
  }

  @Test
  void knowsWhoSaidWhat() {
    tally.add(S3, "free");
    tally.add(S1, "locked");
    tally.add(S0, "free");

    assertThat(tally.serversSaying("free")).containsExactly(S0, S3);
    assertThat(tally.serversSaying("never heard")).isEmpty();
    assertThat(tally.from(S1)).contains("locked");
    assertThat(tally.from(S2)).isEmpty();
    assertThat(tally.outvotedBy("free")).containsExactly(S1);
    assertThat(tally).hasToString("{s0, s3} say free, {s1} say locked");
  }

  @Test
  void aValueNeedsItsVotes() {
    assertThat(tally.valueWith(0)).isEmpty();
    tally.add(S0, "old");
    tally.add(S1, "new");
    assertThat(tally.valueWith(2)).isEmpty();
    assertThat(tally.valueWith(1)).contains("old");

    tally.add(S2, "new");
    assertThat(tally.valueWith(2)).contains("new");
    assertThat(tally.valueWith(1)).contains("new");
    assertThat(tally.valueWith(3)).isEmpty();
    assertThat(tally.valuesWith(1)).containsExactly("old", "new");
    assertThat(tally.valuesWith(2)).containsExactly("new");
  }

  @Test
  void aLiarCannotLiftTheSecondHighestReport() {
    Tally<Long> versions = new Tally<>(4);
    versions.add(S0, Long.MAX_VALUE);
    versions.add(S1, 7L);
    versions.add(S2, 7L);
    versions.add(S3, 5L);

    assertThat(highest(1, versions)).contains(Long.MAX_VALUE);
    assertThat(highest(2, versions)).contains(7L);
    assertThat(highest(3, versions)).contains(7L);
    assertThat(highest(4, versions)).contains(5L);
    assertThat(highest(5, versions)).isEmpty();
  }

  @Test
  void ranksByTheKeyAndTheOrderItIsGiven() {
    tally.add(S0, "aaa");
    tally.add(S1, "b");
    tally.add(S2, "cc");

    assertThat(tally.kthHighest(1, String::length, Comparator.naturalOrder())).contains(3);
    assertThat(tally.kthHighest(1, String::length, Comparator.reverseOrder())).contains(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tally.kthHighest(0, String::length, Comparator.naturalOrder()))
        .withMessage("the highest is number 1, number 0 was asked for");
  }

  @Test
  void refusesServersThatAreNotOfTheCluster() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tally.add(new ServerId(4), "free"))
        .withMessage("s4 is not one of the 4 servers whose answers are counted");
    assertThatIllegalArgumentException().isThrownBy(() -> tally.from(new ServerId(4)));
    assertThat(tally.answered()).isZero();
  }

  @Test
  void countsUpToTheLargestCluster() {
    Tally<Integer> large = new Tally<>(ServerId.MAX_SERVERS);
    for (ServerId server : ServerSet.firstN(ServerId.MAX_SERVERS)) {
      large.add(server, server.index());
    }

    assertThat(large.answered()).isEqualTo(64);
    assertThat(large.from(new ServerId(63))).contains(63);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tally<>(65))
        .withMessage("a tally counts 1 to 64 servers, 65 were given");
    assertThatIllegalArgumentException().isThrownBy(() -> new Tally<>(0));
  }

  @Test
  void saysThatNobodyAnswered() {
    assertThat(tally).hasToString("no answers");
  }

  @Test
  void agreesWithAMapOfFirstAnswers() {
    SplittableRandom random = new SplittableRandom(42);
    for (int run = 0; run < 2_000; run++) {
      int servers = 1 + random.nextInt(9);
      Tally<Integer> counted = new Tally<>(servers);
      Map<ServerId, Integer> first = new TreeMap<>();
      Set<ServerId> equivocators = new HashSet<>();
      for (int answer = 0; answer < 2 * servers; answer++) {
        ServerId from = new ServerId(random.nextInt(servers));
        int value = random.nextInt(4);
        Integer before = first.putIfAbsent(from, value);
        if (before != null && before != value) {
          equivocators.add(from);
        }
        assertThat(counted.add(from, value)).isEqualTo(before == null);
      }
      checkAgainst(counted, first);
      assertThat(counted.equivocators()).containsExactlyInAnyOrderElementsOf(equivocators);
    }
  }

  private static void checkAgainst(Tally<Integer> counted, Map<ServerId, Integer> first) {
    assertThat(counted.servers()).containsExactlyElementsOf(first.keySet());
    assertThat(counted.answered()).isEqualTo(first.size());
    for (int value = 0; value < 4; value++) {
      int said = value;
      List<ServerId> sayers =
          first.entrySet().stream()
              .filter(answer -> answer.getValue() == said)
              .map(Map.Entry::getKey)
              .toList();
      assertThat(counted.serversSaying(value)).containsExactlyElementsOf(sayers);
      assertThat(counted.count(value)).isEqualTo(sayers.size());
      assertThat(counted.outvotedBy(value).size()).isEqualTo(first.size() - sayers.size());
      assertThat(counted.valuesWith(2).contains(value)).isEqualTo(sayers.size() >= 2);
    }
    List<Integer> descending = first.values().stream().sorted(Comparator.reverseOrder()).toList();
    for (int k = 1; k <= descending.size(); k++) {
      assertThat(highest(k, counted)).contains(descending.get(k - 1));
    }
    int most = counted.valueWith(1).map(counted::count).orElse(0);
    assertThat(counted.valuesWith(most + 1)).isEmpty();
  }

  private static <V extends Comparable<V>> Optional<V> highest(int k, Tally<V> tally) {
    return tally.kthHighest(k, value -> value, Comparator.naturalOrder());
  }
}
