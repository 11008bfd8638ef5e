package io.testudo.mutex;

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
  public synchronized <T> T use(long token, Function<? super R, ? extends T> what) {
    if (token < highest) {
      throw new StaleFenceException(token, highest);
    }
    // Before the use: what it does halfway must not be undone by an earlier holder.
    highest = token;
    return what.apply(resource);
  }

  /** The largest token seen so far. */
  public synchronized long highest() {
    return highest;
  }
}
