package io.testudo.ordering.client;

import io.testudo.quorum.protocol.Call;

/** Nobody waits for changes under a prefix any more. */
public record EndNames(long watch) implements Call<Boolean> {}
