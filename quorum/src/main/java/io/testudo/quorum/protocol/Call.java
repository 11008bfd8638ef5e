package io.testudo.quorum.protocol;

/**
 * What an application asks of a client half. Implemented by records.
 *
 * @param <R> what it is answered with
 */
public interface Call<R> {}
