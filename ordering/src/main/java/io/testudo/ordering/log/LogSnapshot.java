package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Digest;
import io.testudo.crypto.Seal;
import io.testudo.quorum.Bytes;

/**
 * A committed state as a whole, in place of the entries that lead to it. The entry that follows it
 * names its digest, so who can verify that entry can verify the whole: the state, and at which rank
 * it was committed.
 *
 * @param commit of this very state
 * @param body a {@code SnapshotBody}
 */
public record LogSnapshot(Statement commit, Bytes body) {
  /** The longest body. */
  public static final int MAX_BODY_BYTES = 3 << 20;

  public LogSnapshot {
    checkArgument(body.size() <= MAX_BODY_BYTES, "a state of %s bytes is too long", body.size());
  }

  public StateId state() {
    return commit.state();
  }

  /** Of the commit, too: who takes the snapshot believes that commit, rank and all. */
  public Digest digest() {
    Digest.Builder digest =
        Digest.builder("testudo base")
            .add(commit.rank().time())
            .add(commit.rank().session())
            .add(commit.state().version())
            .add(commit.state().link())
            .add(commit.seal().map(Seal::encode).orElse(new byte[0]));
    return body.view(digest::add).build();
  }

  @Override
  public String toString() {
    return "LogSnapshot[" + state() + ", " + body.size() + " bytes]";
  }
}
