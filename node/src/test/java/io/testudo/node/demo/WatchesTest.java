package io.testudo.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checks of the demo see what they are for. */
class WatchesTest {
  private final LockWatch lock = new LockWatch();
  private final CountWatch count = new CountWatch();

  @Test
  void letsHoldersInOneAfterTheOther() {
    assertThat(lock.enter("alice", 5, () -> true)).isTrue();
    assertThat(lock.view().holder()).isEqualTo("alice");
    lock.leave("alice");
    assertThat(lock.enter("bob", 6, () -> true)).isTrue();
    lock.leave("bob");
    assertThat(lock.view().overlaps()).isEmpty();
    assertThat(lock.view().entries()).isEqualTo(2);
    assertThat(lock.view().fence()).isEqualTo(6);
  }

  @Test
  void seesTwoWhoHoldAtOneTime() {
    assertThat(lock.enter("alice", 5, () -> true)).isTrue();
    assertThat(lock.enter("bob", 6, () -> true)).isTrue();
    assertThat(lock.view().overlaps())
        .containsExactly("bob with fence 6 and alice with fence 5 held at one time");
  }

  @Test
  void seesAFenceThatGoesBackOrComesTwice() {
    assertThat(lock.enter("alice", 6, () -> true)).isTrue();
    lock.leave("alice");
    assertThat(lock.enter("bob", 6, () -> true)).isTrue();
    lock.leave("bob");
    assertThat(lock.enter("carol", 5, () -> true)).isTrue();
    assertThat(lock.view().overlaps()).hasSize(2);
  }

  @Test
  void blamesNobodyForAHolderThatIsLate() {
    boolean[] holds = {true};
    assertThat(lock.enter("alice", 5, () -> holds[0])).isTrue();
    holds[0] = false;
    assertThat(lock.enter("bob", 6, () -> true)).isTrue();
    lock.leave("alice");
    assertThat(lock.enter("alice", 5, () -> false)).isFalse();
    assertThat(lock.view().overlaps()).isEmpty();
    assertThat(lock.view().late()).isOne();
  }

  @Test
  void countsWhatWasLostToldTwiceAndInvented() {
    count.acknowledged("alice", 1, 1, false);
    count.acknowledged("bob", 2, 2, true);
    CountWatch.View right = count.view();
    assertThat(CountWatch.lost(right, 2)).isZero();
    assertThat(CountWatch.invented(right, 2)).isZero();
    assertThat(CountWatch.lost(right, 1)).isOne();
    assertThat(CountWatch.invented(right, 3)).isOne();
    count.unresolved();
    assertThat(CountWatch.invented(count.view(), 3)).isZero();
    count.acknowledged("carol", 2, 2, false);
    assertThat(CountWatch.lost(count.view(), 2)).isEqualTo(2);
  }
}
