package io.testudo.ordering.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Utf8;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: which objects are there? It changes nothing.
 *
 * @param prefix of the names that are asked for; the right to read must cover it
 * @param after only names behind this one; empty for the first page
 */
public record ListObjects(long nonce, String prefix, String after) implements Message, Guarded {
  public ListObjects {
    checkName(prefix);
    checkName(after);
  }

  private static void checkName(String name) {
    checkArgument(
        Utf8.encodedLength(name) <= ObjectList.MAX_NAME_BYTES, "the name of an object is too long");
  }

  /** Whether an object belongs to the answer. */
  boolean covers(String object) {
    return object.startsWith(prefix) && object.compareTo(after) > 0;
  }

  @Override
  public Right right() {
    return Right.READ;
  }

  @Override
  public String name() {
    return prefix;
  }
}
