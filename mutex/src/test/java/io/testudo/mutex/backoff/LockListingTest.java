package io.testudo.mutex.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockView;
import io.testudo.quorum.protocol.Input;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockListingTest extends ServerStage {
  private static final LockView.User ALICES = new LockView.User(ALICE, 0);
  private static final LockView.User BOBS = new LockView.User(BOB, 0);

  private LockList list(String prefix, String after) {
    step(new Input.Received<>(CAROL, new ListLocks(5, BackoffServer.PROTOCOL, prefix, after)));
    return (LockList) sentTo(CAROL).get(0);
  }

  private void triesFor(String lock) {
    step(
        new Input.Received<>(ALICE, new Try(lock, 0, BASE + 1, Optional.empty(), LEASE, 1, false)));
  }

  @Test
  void tellsWhoHoldsAndWhoWaits() {
    start();
    tries(ALICE, 1, 1, false);
    tries(BOB, 2, 1, true);
    nanos = 10 * MILLI;
    assertThat(list("", ""))
        .isEqualTo(
            new LockList(
                5,
                ImmutableList.of(
                    new LockView(
                        LOCK,
                        Optional.of(
                            new LockView.Holding(ALICES, BASE + 1, SERVER_LEASE - 10 * MILLI)),
                        ImmutableList.of(BOBS),
                        1)),
                false));
  }

  @Test
  void leavesOutWhatNobodyUses() {
    start();
    tries(ALICE, 1, 1, false);
    releases(ALICE, 1);
    assertThat(list("", "").locks()).isEmpty();
  }

  @Test
  void leavesOutAHoldThatIsOver() {
    start();
    tries(ALICE, 1, 1, false);
    nanos = SERVER_LEASE + 1;
    assertThat(list("", "").locks()).isEmpty();
  }

  @Test
  void changesNothing() {
    start();
    tries(ALICE, 1, 1, false);
    var before = list("", "");
    assertThat(effects).hasSize(1);
    assertThat(list("", "")).isEqualTo(before);
  }

  @Test
  void listsNamesInPagesByPrefix() {
    start();
    for (int i = 0; i < 2 * LockList.MAX_LOCKS; i++) {
      triesFor("a/%03d".formatted(i));
    }
    triesFor("b");
    LockList first = list("a/", "");
    assertThat(first.more()).isTrue();
    assertThat(first.locks()).hasSize(LockList.MAX_LOCKS);
    assertThat(first.locks().get(0).lock()).isEqualTo("a/000");
    String last = first.locks().get(LockList.MAX_LOCKS - 1).lock();
    LockList second = list("a/", last);
    assertThat(second.more()).isFalse();
    assertThat(second.locks()).hasSize(LockList.MAX_LOCKS);
    assertThat(second.locks().get(0).lock()).isEqualTo("a/064");
  }

  @Test
  void namesTheFirstOfManyWhoWaitAndCountsTheRest() {
    start();
    tries(ALICE, 1, 1, false);
    for (int i = 0; i < LockView.MAX_WAITERS + 8; i++) {
      tries(BOB, i, 2 + i, LEASE, 1, true);
    }
    LockView view = list("", "").locks().get(0);
    assertThat(view.waiters()).hasSize(LockView.MAX_WAITERS);
    assertThat(view.waiting()).isEqualTo(LockView.MAX_WAITERS + 8);
  }

  @Test
  void leavesTheLocksOfAnotherProtocolToIt() {
    start();
    tries(ALICE, 1, 1, false);
    step(new Input.Received<>(CAROL, new ListLocks(5, "another", "", "")));
    assertThat(effects).isEmpty();
  }
}
