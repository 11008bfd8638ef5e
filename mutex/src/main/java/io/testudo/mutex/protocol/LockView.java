package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.ClientId;
import java.util.Optional;

/**
 * One lock as one server sees it.
 *
 * @param waiters the first of those who wait
 * @param waiting how many wait in all
 */
public record LockView(
    String lock, Optional<Holding> holding, ImmutableList<User> waiters, int waiting) {
  /** Of more who wait only the number is told. */
  public static final int MAX_WAITERS = 32;

  /**
   * One who holds or wants a lock.
   *
   * @param contender tells several of one client apart
   */
  public record User(ClientId client, long contender) {}

  /**
   * A grant of this server.
   *
   * @param token the holder's fencing token
   * @param remainingNanos until the grant is over, if it is not renewed
   */
  public record Holding(User user, long token, long remainingNanos) {}

  public LockView {
    LockNames.check(lock);
    checkArgument(waiters.size() <= MAX_WAITERS, "at most %s waiters are told", MAX_WAITERS);
    checkArgument(waiting >= waiters.size(), "fewer wait than are named");
  }
}
