package io.testudo.ordering.client;

import io.testudo.quorum.protocol.Call;

/**
 * Gives up the tenure of every object, and the locks that go with it: the client is about to be
 * closed, and others need not find out that it is gone. Answered when that is said.
 */
public record EndTenures() implements Call<Boolean> {}
