package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ServerSetTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ServerId S2 = new ServerId(2);
  private static final ServerId S63 = new ServerId(63);

  @Test
  void refusesServersOutsideOfTheLargestCluster() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServerId(64))
        .withMessage("a server's index is 0 to 63, 64 was given");
    assertThatIllegalArgumentException().isThrownBy(() -> new ServerId(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerSet.firstN(65))
        .withMessage("a set holds 0 to 64 servers, 65 were asked for");
    assertThatIllegalArgumentException().isThrownBy(() -> ServerSet.firstN(-1));
  }

  @Test
  void holdsWhatItWasMadeOf() {
    ServerSet set = ServerSet.of(S63, S0, S0);

    assertThat(set).containsExactly(S0, S63);
    assertThat(set.size()).isEqualTo(2);
    assertThat(set.contains(S63)).isTrue();
    assertThat(set.contains(S2)).isFalse();
    assertThat(set).isEqualTo(ServerSet.none().with(S63).with(S0)).isNotEqualTo(ServerSet.of(S0));
  }

  @Test
  void firstServersAreTheWholeCluster() {
    assertThat(ServerSet.firstN(0)).isEqualTo(ServerSet.none());
    assertThat(ServerSet.firstN(3)).containsExactly(S0, new ServerId(1), S2);
    assertThat(ServerSet.firstN(64).size()).isEqualTo(64);
  }

  @Test
  void changesLeaveTheOldSetAlone() {
    ServerSet set = ServerSet.of(S0);

    assertThat(set.with(S2)).containsExactly(S0, S2);
    assertThat(set.without(S0)).isEmpty();
    assertThat(set.without(S2)).isEqualTo(set);
    assertThat(set).containsExactly(S0);
  }

  @Test
  void combinesLikeSetsOfObjects() {
    for (long a = 0; a < 16; a++) {
      for (long b = 0; b < 16; b++) {
        ServerSet one = new ServerSet(a);
        ServerSet other = new ServerSet(b);
        Set<ServerId> union = members(one);
        union.addAll(members(other));
        Set<ServerId> common = members(one);
        common.retainAll(members(other));
        Set<ServerId> rest = members(one);
        rest.removeAll(members(other));

        assertThat(one.union(other)).containsExactlyElementsOf(union);
        assertThat(one.intersect(other)).containsExactlyElementsOf(common);
        assertThat(one.minus(other)).containsExactlyElementsOf(rest);
        assertThat(one.isSupersetOf(other)).isEqualTo(members(one).containsAll(members(other)));
      }
    }
  }

  @Test
  void complementIsWithinTheCluster() {
    assertThat(ServerSet.of(S0, S63).complement(3)).containsExactly(new ServerId(1), S2);
    assertThat(ServerSet.none().complement(64)).isEqualTo(ServerSet.firstN(64));
  }

  @Test
  void emptySetSaysSo() {
    assertThat(ServerSet.none().isEmpty()).isTrue();
    assertThat(ServerSet.of(S63).isEmpty()).isFalse();
  }

  @Test
  void iterationEndsAfterTheLastServer() {
    Iterator<ServerId> servers = ServerSet.of(S2).iterator();
    servers.next();

    assertThat(servers.hasNext()).isFalse();
    assertThatThrownBy(servers::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void readsAsPeopleWriteIt() {
    assertThat(ServerSet.of(S2, S0)).hasToString("{s0, s2}");
    assertThat(ServerSet.none()).hasToString("{}");
  }

  @Test
  void serversAreOrderedByIndex() {
    assertThat(S2).isGreaterThan(S0).isEqualByComparingTo(new ServerId(2));
  }

  private static Set<ServerId> members(ServerSet set) {
    Set<ServerId> members = new TreeSet<>();
    for (int index = 0; index < ServerId.MAX_SERVERS; index++) {
      if (set.contains(new ServerId(index))) {
        members.add(new ServerId(index));
      }
    }
    return members;
  }
}
