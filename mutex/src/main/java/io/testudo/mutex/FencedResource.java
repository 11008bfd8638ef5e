package io.testudo.mutex;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Something in memory that refuses holders who come too late. It keeps the largest fencing token
 * that it has seen, and lets nobody in with a smaller one. Check and use are one step: nobody else
 * is in meanwhile.
 *
 * <p>It is of use where one process owns the resource and others come to it with their tokens. Use
 * one for each lock: tokens of different locks do not compare.
 *
 * <pre>{@code
 * FencedResource<Ledger> ledger = new FencedResource<>(new Ledger());
 * ...
 * ledger.use(request.token(), it -> it.book(request.entry()));
 * }</pre>
 *
 * @param <R> what is protected
 */
public final class FencedResource<R> {
  private final R resource;

  /** Not a monitor: what holders do in it may block, and a virtual thread would be pinned. */
  private final ReentrantLock oneAtATime = new ReentrantLock();

  private long highest;

  /** Protects a resource that no holder has used yet. */
  public FencedResource(R resource) {
    this(resource, 0);
  }

  /**
   * Protects a resource that was used before.
   *
   * @param highest the largest token that it has seen
   */
  public FencedResource(R resource, long highest) {
    this.resource = resource;
    this.highest = highest;
  }

  /**
   * Uses the resource as the holder with this token.
   *
   * @throws StaleFenceException if a holder with a larger token was here; nothing was done then
   */
  public <T> T use(long token, Function<? super R, ? extends T> what) {
    oneAtATime.lock();
    try {
      if (token < highest) {
        throw new StaleFenceException(token, highest);
      }
      // Before the use: what it does halfway must not be undone by an earlier holder.
      highest = token;
      return what.apply(resource);
    } finally {
      oneAtATime.unlock();
    }
  }

  /** The largest token seen so far. */
  public long highest() {
    oneAtATime.lock();
    try {
      return highest;
    } finally {
      oneAtATime.unlock();
    }
  }
}
