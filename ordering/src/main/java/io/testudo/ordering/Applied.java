package io.testudo.ordering;

/**
 * An operation that was done.
 *
 * @param version of the object that contains it
 */
public record Applied<R>(OperationId id, long version, R result) {}
