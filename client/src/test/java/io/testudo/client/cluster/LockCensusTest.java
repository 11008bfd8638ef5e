package io.testudo.client.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockView;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockCensusTest {
  private static final Thresholds FOUR = Need.PING.thresholds(4, 1);
  private static final LockView.User ALICE = new LockView.User(new ClientId("alice", 7, 1), 0);
  private static final LockView.User BOB = new LockView.User(new ClientId("bob", 8, 1), 0);

  private final ListMultimap<ServerId, LockList> pages = ArrayListMultimap.create();

  private void says(
      int server, LockView.User holder, long token, long remaining, LockView.User... waiters) {
    pages.put(
        new ServerId(server),
        new LockList(
            1,
            ImmutableList.of(
                new LockView(
                    "printer",
                    Optional.of(new LockView.Holding(holder, token, remaining)),
                    ImmutableList.copyOf(waiters),
                    waiters.length)),
            false));
  }

  @Test
  void believesWhatEnoughServersSay() {
    says(0, ALICE, 5, 30, BOB);
    says(1, ALICE, 5, 20, BOB);
    says(2, ALICE, 5, 10);
    assertThat(LockCensus.of(pages, FOUR))
        .containsExactly(
            new LockCensus.Entry(
                "printer",
                Optional.of(new LockCensus.Holder(ALICE, 5, 3, 20)),
                ImmutableList.of(BOB)));
  }

  @Test
  void leavesOutWhatOneMayHaveMadeUp() {
    says(0, BOB, 99, 1_000_000, ALICE);
    assertThat(LockCensus.of(pages, FOUR)).isEmpty();
    says(1, ALICE, 5, 30);
    says(2, ALICE, 5, 30);
    assertThat(LockCensus.of(pages, FOUR))
        .extracting(LockCensus.Entry::holder)
        .containsExactly(Optional.of(new LockCensus.Holder(ALICE, 5, 2, 30)));
  }

  @Test
  void countsAServerOnceHoweverOftenItNamesALock() {
    says(0, BOB, 99, 1_000, ALICE);
    says(0, BOB, 99, 1_000, ALICE);
    assertThat(LockCensus.of(pages, FOUR)).isEmpty();
  }

  @Test
  void tellsGrantsOfOneHolderApartByTheirTokens() {
    says(0, ALICE, 5, 30);
    says(1, ALICE, 6, 30);
    assertThat(LockCensus.of(pages, FOUR)).isEmpty();
  }
}
