package io.testudo.mutex;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that servers grant, up to b of which may lie. Two ways to use it:
 *
 * <ul>
 *   <li>{@link #acquire()} and its kin give a {@link Lease}: a handle that any thread may use.
 *   <li>The methods of {@link Lock} keep a lease for each thread: two threads that lock one object
 *       exclude each other, and only the thread that locked may unlock.
 * </ul>
 *
 * Two objects with one name are two contenders, in one process or in several.
 *
 * <h2>What it promises</h2>
 *
 * <ul>
 *   <li><b>In any asynchrony</b>, however late messages are and whatever b servers do: of two
 *       leases on one lock, one has ended on its holder's clock before the other begins, and the
 *       later one has the larger {@linkplain Lease#fencingToken() fencing token}. This rests on one
 *       bound: the rates of two clocks differ by no more than the cluster is configured for.
 *   <li><b>While messages take no longer than delta</b>, the delay that the cluster is configured
 *       for: a free lock is acquired in one round trip, a released one goes to a waiter, and one
 *       whose holder died is free again when its hold and a short window have passed. If messages
 *       take longer, requests fail or wait; nothing else breaks.
 *   <li><b>Not promised</b>: fairness, and that a holder notices in time that its lease has ended.
 *       A lease is an interval of time, and a thread can stand still for any time between a look at
 *       {@link Lease#isHeld()} and the write that follows.
 * </ul>
 *
 * So whatever must never see two holders has to check the fencing token itself, in the same atomic
 * step in which it changes, and refuse a token smaller than the largest it has seen. {@link
 * FencedResource} does so in memory; docs/locks.md shows it for a row of a database and for a file.
 * Without such a check the lock makes overlaps rare; with it they do no harm.
 */
public interface DistributedLock extends Lock {
  /** What servers know it by. */
  String name();

  /** How it is asked for, unless a call says otherwise. */
  LockOptions options();

  /**
   * Waits for the lock, as long as its options say.
   *
   * @return a lease of its own at each call, whichever thread asks: it is never reentrant
   * @throws NotAcquiredException if the wait was over before the lock was free
   * @throws io.testudo.quorum.NoQuorumException if it was over before enough servers answered
   * @throws io.testudo.quorum.NotAllowedException at once, if this client lacks the right
   * @throws io.testudo.quorum.ClosedException if the client is closed, before or meanwhile
   * @throws InterruptedException if interrupted; the request is withdrawn, and nothing is held
   */
  Lease acquire() throws InterruptedException;

  /** As {@link #acquire()}, with a hold, a wait and a renewal of its own. */
  Lease acquire(LockOptions options) throws InterruptedException;

  /**
   * Tries once, without waiting for a holder: a round trip, or the time that one may take.
   *
   * @return nothing if another holds the lock
   * @throws io.testudo.quorum.NoQuorumException if too few servers answered in that time, also if
   *     they are only slower than the cluster's time bounds say; {@link #tryAcquire(Duration)}
   *     gives them longer
   * @throws io.testudo.quorum.NotAllowedException if this client lacks the right
   */
  Optional<Lease> tryAcquire() throws InterruptedException;

  /**
   * Waits for the lock, no longer than said.
   *
   * @return nothing if the lock was not free in time
   * @throws io.testudo.quorum.NoQuorumException if too few servers answered in time
   * @throws io.testudo.quorum.NotAllowedException if this client lacks the right
   */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Asks for the lock. A future that is cancelled, or that times out, withdraws the request
   * everywhere, and a lease that was granted meanwhile is given back. It fails as {@link
   * #acquire()} does. What is chained to it runs on the client's executor.
   */
  CompletableFuture<Lease> acquireAsync();

  /** As {@link #acquireAsync()}, with a hold, a wait and a renewal of its own. */
  CompletableFuture<Lease> acquireAsync(LockOptions options);

  /**
   * Waits for the lock on behalf of this thread; interrupts are left for later.
   *
   * @throws NotAcquiredException if the options limit the wait, and it is over
   * @throws LockLostException if this thread had it and lost it: unlock it first
   * @throws IllegalMonitorStateException if this thread has it and it is not reentrant
   */
  @Override
  void lock();

  /** As {@link #lock()}; an interrupt withdraws the request. */
  @Override
  void lockInterruptibly() throws InterruptedException;

  /**
   * Tries once, on behalf of this thread. False also if too few servers answer.
   *
   * @throws io.testudo.quorum.NotAllowedException if this client lacks the right: no later try
   *     would be better
   */
  @Override
  boolean tryLock();

  /** Waits no longer than said, whether servers answer or not. */
  @Override
  boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

  /**
   * Gives the lock back, without waiting for servers.
   *
   * @throws LockLostException if this thread had it and lost it before
   * @throws IllegalMonitorStateException if this thread does not have it
   */
  @Override
  void unlock();

  /** Whether this thread locked it and the lease has not ended. */
  boolean isHeldByCurrentThread();

  /**
   * The lease of this thread, for its fencing token. Closing it gives the lock back, however often
   * it was entered.
   *
   * @throws IllegalMonitorStateException if this thread does not have the lock
   */
  Lease currentLease();

  /** Not supported: no server could wake those who wait. */
  @Override
  Condition newCondition();
}
