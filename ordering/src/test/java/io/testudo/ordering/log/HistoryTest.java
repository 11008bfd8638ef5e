package io.testudo.ordering.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final StateId GENESIS = StateId.genesis("o");
  private final History history = new History("o");
  private final Entry one = entry(GENESIS, "1");
  private final Entry two = entry(one.state(), "2");
  private final Entry three = entry(two.state(), "3");
  private final Entry branch = entry(one.state(), "another 2");

  private static Entry entry(StateId parent, String body) {
    return new Entry(parent.version() + 1, parent.link(), Bytes.utf8(body));
  }

  private static LogSnapshot snapshot(StateId state) {
    return new LogSnapshot(
        new Statement(new Rank(1, 1), state, Optional.empty()), Bytes.utf8("whole"));
  }

  @Test
  void takesNoEntryWhoseParentIsUnknown() {
    assertThat(history.add(two)).isFalse();
    assertThat(history.add(one)).isTrue();
    assertThat(history.add(one)).isFalse();
    assertThat(history.add(two)).isTrue();
    assertThat(history.holds(two.state())).isTrue();
    assertThat(history.holds(three.state())).isFalse();
  }

  @Test
  void findsTheWayAlongOneBranchOnly() {
    for (Entry entry : List.of(one, two, three, branch)) {
      history.add(entry);
    }
    assertThat(history.path(GENESIS, three.state())).contains(List.of(one, two, three));
    assertThat(history.path(one.state(), branch.state())).contains(List.of(branch));
    assertThat(history.path(branch.state(), three.state())).isEmpty();
    assertThat(history.path(three.state(), one.state())).isEmpty();
  }

  @Test
  void putsAStateInThePlaceOfWhatLedToItAndDropsOtherBranches() {
    for (Entry entry : List.of(one, two, three, branch)) {
      history.add(entry);
    }
    history.install(snapshot(two.state()));
    assertThat(history.start()).isEqualTo(two.state());
    assertThat(history.path(two.state(), three.state())).contains(List.of(three));
    assertThat(history.path(GENESIS, three.state())).isEmpty();
    assertThat(history.holds(branch.state())).isFalse();
    assertThat(history.entries()).isEqualTo(1);
  }

  @Test
  void keepsWhatIsWanted() {
    for (Entry entry : List.of(one, two, three, branch)) {
      history.add(entry);
    }
    history.keepOnly(List.of(branch.state()));
    assertThat(history.inOrder()).containsExactly(one, branch);
  }
}
