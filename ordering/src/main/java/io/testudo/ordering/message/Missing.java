package io.testudo.ordering.message;

import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.quorum.protocol.Message;

/**
 * Server to client: I cannot store that state, because I lack what leads to it.
 *
 * @param newest the newest state that I have
 */
public record Missing(String object, Rank rank, StateId wanted, StateId newest)
    implements Message {}
