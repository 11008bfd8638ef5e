package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Digest;
import io.testudo.quorum.Bytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step in the history of an object: the operations of one batch, their results and what they
 * changed. Its link is a digest of itself and of all before it, so who knows the link can verify
 * the whole. (Not a record, because it computes that digest once and is asked for it often.)
 */
public final class Entry {
  /** The longest body. */
  public static final int MAX_BODY_BYTES = 3 << 20;

  /** What an operation or an entry takes in memory beside its body, and more. */
  public static final long ROW_BYTES = 256;

  private final long version;
  private final Digest parent;
  private final Bytes body;
  private final StateId state;

  /**
   * Makes an entry.
   *
   * @param version that it leads to
   * @param parent link of the version before
   * @param body an {@code EntryBody}
   */
  public Entry(long version, Digest parent, Bytes body) {
    checkArgument(version > 0, "no entry leads to version %s", version);
    checkArgument(body.size() <= MAX_BODY_BYTES, "an entry of %s bytes is too long", body.size());
    this.version = version;
    this.parent = parent;
    this.body = body;
    Digest.Builder link = Digest.builder("testudo entry").add(version).add(parent);
    this.state = new StateId(version, body.view(link::add).build());
  }

  /** The version that it leads to. */
  public long version() {
    return version;
  }

  /** The link of the version before. */
  public Digest parent() {
    return parent;
  }

  /** What it does, an {@code EntryBody}. */
  public Bytes body() {
    return body;
  }

  /** The state that it leads to. */
  public StateId state() {
    return state;
  }

  /** The state that it leads on from. */
  public StateId before() {
    return new StateId(version - 1, parent);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Entry entry && state.equals(entry.state);
  }

  @Override
  public int hashCode() {
    return Objects.hash(state);
  }

  @Override
  public String toString() {
    return "Entry[v" + version + ", " + body.size() + " bytes]";
  }
}
