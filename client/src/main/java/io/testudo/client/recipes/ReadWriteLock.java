package io.testudo.client.recipes;

/**
 * A lock for one writer, or for up to 1,024 readers. First come, first served: readers who come
 * after a waiting writer wait behind it.
 *
 * <p>The token of a writer is larger than those of all readers and writers before it, and smaller
 * than those of all after it. So a resource that keeps the largest token of a <em>writer</em>, and
 * refuses whoever has a smaller one, is used by nobody who came too late: neither a reader nor a
 * writer from before that writer. Tokens of readers must not be kept like that, since several
 * readers have it at a time.
 */
public interface ReadWriteLock {
  String name();

  /** Leases that readers share. */
  LeaseSource read();

  /** Leases of one writer, beside whom there are no others. */
  LeaseSource write();
}
