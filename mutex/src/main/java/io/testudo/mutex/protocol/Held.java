package io.testudo.mutex.protocol;

/**
 * A lock that was acquired.
 *
 * @param token the fencing token: larger than that of any earlier holder. It also names the lease
 *     within this process
 * @param term until when the lock is held, unless renewed
 */
public record Held(String lock, long token, Term term) {}
