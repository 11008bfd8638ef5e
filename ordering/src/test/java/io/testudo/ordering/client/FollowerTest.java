package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Seal;
import io.testudo.crypto.SealScheme;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Fetch;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ServerId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client that only follows what others order. */
class FollowerTest {
  private static final String NAME = "ledger";

  /** Twice as many as a past has before those who order make a snapshot. */
  private static final int MANY = 8_000;

  private final ClientObject<String> follower =
      new ClientObject<>(NAME, GrowingText.MODEL, /* vouchers= */ 2, /* entriesPerSnapshot= */ 512);

  private final Replica<String> ordered = Replica.initial(GrowingText.MODEL, NAME);
  private long operations;

  private Entry order(Optional<LogSnapshot> snapshot) {
    operations++;
    SubmittedOperation operation =
        new SubmittedOperation(
            new OpId(1, operations), operations - 1, Bytes.utf8("x"), Optional.empty());
    Tip<String> tip = new Tip<>(ordered);
    Entry entry =
        tip.extend(List.of(operation), 1 << 20, snapshot.map(LogSnapshot::digest), 0).orElseThrow();
    var unused = tip.settle(entry.state());
    return entry;
  }

  private Fetch follow(Optional<LogSnapshot> snapshot, Entry entry) {
    Fetch fetch = follower.fetch(entry.state());
    for (Bodies part : Bodies.parts(NAME, entry.state(), snapshot, List.of(entry))) {
      assertThat(follower.learn(new ServerId(0), part)).isTrue();
    }
    assertThat(follower.settle(entry.state())).isTrue();
    return fetch;
  }

  @Test
  void asksForASnapshotWhenItsPastHasGrownTooLongAndForgetsTheRest() {
    for (int i = 0; i <= MANY; i++) {
      StateId before = ordered.at();
      assertThat(follow(Optional.empty(), order(Optional.empty())).known()).isEqualTo(before);
    }
    Bytes whole = new Tip<>(ordered).encode();
    LogSnapshot snapshot =
        new LogSnapshot(new Statement(new Rank(1, 1), ordered.at(), Optional.empty()), whole);
    Entry next = order(Optional.of(snapshot));
    assertThat(follow(Optional.of(snapshot), next).known()).isEqualTo(StateId.genesis(NAME));
    assertThat(follower.history.entries()).isEqualTo(1);
    assertThat(follower.history.snapshot()).contains(snapshot);

    StateId before = ordered.at();
    assertThat(follow(Optional.empty(), order(Optional.empty())).known()).isEqualTo(before);
  }

  /**
   * Whoever has a snapshot tells others of its commit, and of two commits the higher rank counts.
   */
  @Test
  void takesNoSnapshotWhoseCommitIsNotTheOneThatTheNextEntryNames() throws Exception {
    order(Optional.empty());
    Rank rank = new Rank(7, 1);
    Seal seal = Seal.decode(encodedSeal((byte) 1));
    Statement commit = new Statement(rank, ordered.at(), Optional.of(seal));
    Bytes whole = new Tip<>(ordered).encode();
    LogSnapshot snapshot = new LogSnapshot(commit, whole);
    Entry next = order(Optional.of(snapshot));
    List<Statement> changed =
        List.of(
            new Statement(new Rank(8, 1), commit.state(), commit.seal()),
            new Statement(new Rank(7, 2), commit.state(), commit.seal()),
            new Statement(rank, commit.state(), Optional.empty()),
            new Statement(rank, commit.state(), Optional.of(Seal.decode(encodedSeal((byte) 2)))));
    for (Statement other : changed) {
      learn(new LogSnapshot(other, whole), next);
      assertThat(follower.history.snapshot()).as("with %s", other).isEmpty();
      assertThat(follower.settle(next.state())).isFalse();
    }
    learn(snapshot, next);
    assertThat(follower.history.snapshot()).contains(snapshot);
    assertThat(follower.settle(next.state())).isTrue();
  }

  private void learn(LogSnapshot snapshot, Entry next) {
    Fetch unused = follower.fetch(next.state());
    for (Bodies part : Bodies.parts(NAME, next.state(), Optional.of(snapshot), List.of(next))) {
      boolean ignored = follower.learn(new ServerId(0), part);
    }
  }

  private static byte[] encodedSeal(byte filler) {
    byte[] encoded = new byte[Seal.MAX_ENCODED_LENGTH];
    Arrays.fill(encoded, filler);
    encoded[0] = (byte) SealScheme.ED25519.number();
    return encoded;
  }
}
