package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.Held;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call for a lock, from its begin to the end of the lease: what is the same in all protocols.
 */
public final class LockCall {
  final CallId<Held> id;
  final DueTimer<ServerId> timer;
  private final Acquire wish;
  private final int contender;
  private final Moment begun;
  private final Excuses excuses = new Excuses();
  @Nullable KeptLease lease;

  LockCall(CallId<Held> id, Acquire wish, int contender, Moment begun, DueTimer<ServerId> timer) {
    this.id = id;
    this.wish = wish;
    this.contender = contender;
    this.begun = begun;
    this.timer = timer;
  }

  public String lock() {
    return wish.lock();
  }

  public Acquire wish() {
    return wish;
  }

  /** Tells the contenders of this process for one lock apart; used again when it is over. */
  public int contender() {
    return contender;
  }

  /** Why servers do not grant it, as they say. */
  public Excuses excuses() {
    return excuses;
  }

  /** Whether only the locks that are free at once are wanted. */
  public boolean triesOnce() {
    return wish.waitNanos() == 0;
  }

  /**
   * How long the caller is still ready to wait.
   *
   * @param onceNanos how long one waits for answers that tries once
   */
  public long patienceNanos(Moment now, long onceNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    return (triesOnce() ? onceNanos : wish.waitNanos()) - (now.nanos() - begun.nanos());
  }

  /** Whether it has the lock. */
  public boolean isHeld() {
    return lease != null;
  }

  /** Once the lock is held. */
  public KeptLease lease() {
    return Objects.requireNonNull(lease, "the lock is not held");
  }
}
