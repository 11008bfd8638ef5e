package io.testudo.ordering.message;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/**
 * Client to server: which objects are there? It changes nothing.
 *
 * @param prefix of the names that are asked for; the right to read must cover it
 * @param after only names behind this one; empty for the first page
 * @param ofCommits whether committed versions are wanted, of deleted objects, too; else the newest
 *     ones, of objects that are there
 */
public record ListObjects(long nonce, String prefix, String after, boolean ofCommits)
    implements Message, Guarded {
  public ListObjects {
    ObjectList.checkName(prefix);
    ObjectList.checkName(after);
  }

  /** Asks for the objects that are there. */
  public ListObjects(long nonce, String prefix, String after) {
    this(nonce, prefix, after, false);
  }

  /** Whether an object belongs to the answer. */
  public boolean covers(String object) {
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
