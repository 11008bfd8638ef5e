package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.stream.Stream;

/**
 * Server to client: these locks are in use here, by name.
 *
 * @param more whether there are others behind them
 */
public record LockList(long nonce, ImmutableList<LockView> locks, boolean more) implements Message {
  /** The most locks of one answer. */
  public static final int MAX_LOCKS = 64;

  public LockList {
    checkArgument(locks.size() <= MAX_LOCKS, "an answer has at most %s locks", MAX_LOCKS);
  }

  /** As many as fit, of locks that come in the order of their names. */
  public static LockList page(long nonce, Stream<LockView> byName) {
    List<LockView> views = byName.limit(MAX_LOCKS + 1L).toList();
    boolean more = views.size() > MAX_LOCKS;
    return new LockList(
        nonce, ImmutableList.copyOf(more ? views.subList(0, MAX_LOCKS) : views), more);
  }
}
