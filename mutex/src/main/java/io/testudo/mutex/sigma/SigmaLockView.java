package io.testudo.mutex.sigma;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.Contender;
import java.util.Optional;

/**
 * What a server knows of a lock at one moment, for checks and for people.
 *
 * @param state names the state of the owner
 * @param owner the one to whom the lock is granted, unless its lease is over
 * @param queue the others, in the order in which they will be served
 * @param usedFence the highest token that may have been used by an owner that has left
 */
public record SigmaLockView(
    GrantId state, Optional<Entry> owner, ImmutableList<Entry> queue, long usedFence) {
  /**
   * One who wants the lock.
   *
   * @param time of its request
   */
  public record Entry(Contender contender, long time) {}

  static SigmaLockView of(QueuedLock lock, long incarnation) {
    return new SigmaLockView(
        new GrantId(incarnation, lock.stateNumber),
        Optional.ofNullable(lock.owner)
            .map(owner -> new Entry(owner.contender(), owner.grant().time())),
        lock.line.stream()
            .map(waiting -> new Entry(waiting.contender(), waiting.time()))
            .collect(ImmutableList.toImmutableList()),
        lock.usedFence);
  }
}
