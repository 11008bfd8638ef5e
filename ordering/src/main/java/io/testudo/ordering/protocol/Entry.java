package io.testudo.ordering.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.protobuf.ByteString;
import io.testudo.crypto.Digest;

/**
 * A step in the history of an object: the operations of one batch, their results and what they
 * changed. Its link is a digest of itself and of all before it, so who knows the link can verify
 * the whole.
 *
 * @param version that it leads to
 * @param parent link of the version before
 * @param body an {@code EntryBody}
 */
public record Entry(long version, Digest parent, ByteString body) {
  /** The longest body. */
  public static final int MAX_BODY_BYTES = 3 << 20;

  public Entry {
    checkArgument(version > 0, "no entry leads to version %s", version);
    checkArgument(body.size() <= MAX_BODY_BYTES, "an entry of %s bytes is too long", body.size());
  }

  /** The state that it leads to. */
  public StateId state() {
    return new StateId(
        version,
        Digest.builder("testudo entry").add(version).add(parent).add(body.toByteArray()).build());
  }

  @Override
  public String toString() {
    return "Entry[v" + version + ", " + body.size() + " bytes]";
  }
}
