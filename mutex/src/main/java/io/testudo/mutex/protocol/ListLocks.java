package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.nio.charset.StandardCharsets;

/**
 * Client to server: which locks are in use? Every lock protocol may answer for its own. It changes
 * nothing.
 *
 * @param backend the protocol that is asked
 * @param prefix of the names that are asked for; the right to read must cover it
 * @param after only names behind this one; empty for the first page
 */
public record ListLocks(long nonce, String backend, String prefix, String after)
    implements Message, Guarded {
  /** The longest name of a protocol. */
  static final int MAX_BACKEND_BYTES = 32;

  public ListLocks {
    checkArgument(backend.length() <= MAX_BACKEND_BYTES, "the name of a protocol is too long");
    checkName(prefix);
    checkName(after);
  }

  private static void checkName(String name) {
    checkArgument(
        name.getBytes(StandardCharsets.UTF_8).length <= LockNames.MAX_BYTES, "a name is too long");
  }

  /** Whether a lock belongs to the answer. */
  public boolean covers(String lock) {
    return lock.startsWith(prefix) && lock.compareTo(after) > 0;
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
