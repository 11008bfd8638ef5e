package io.testudo.node.watch;

import io.testudo.client.cluster.LockCensus;
import io.testudo.mutex.protocol.LockView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock as programs are told of it. */
public record ListedLock(
    String lock,
    String backend,
    @Nullable User holder,
    @Nullable Long fence,
    @Nullable Integer servers,
    @Nullable Long remainingMillis,
    List<User> waiters) {
  /** One who holds or waits. */
  public record User(String principal, String session, long handle, long contender) {
    static User of(LockView.User user) {
      return new User(
          user.client().principal(),
          Long.toHexString(user.client().session()),
          user.client().handle(),
          user.contender());
    }
  }

  public ListedLock {
    waiters = List.copyOf(waiters);
  }

  public static ListedLock of(LockCensus.Entry entry, String backend) {
    LockCensus.@Nullable Holder holder = entry.holder().orElse(null);
    return new ListedLock(
        entry.lock(),
        backend,
        holder == null ? null : User.of(holder.user()),
        holder == null ? null : (Long) holder.token(),
        holder == null ? null : (Integer) holder.servers(),
        holder == null ? null : (Long) (holder.remainingNanos() / 1_000_000),
        entry.waiters().stream().map(User::of).toList());
  }
}
