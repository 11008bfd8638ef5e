package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: another run is at work, and you said that you would make way for it.
 *
 * @param asked the rank of the run that is to make way
 */
public record Busy(String object, Rank asked) implements Message {}
