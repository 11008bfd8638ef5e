package io.testudo.ordering.message;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: this version is committed here. No more than a hint: whoever hears it of enough
 * servers reads.
 */
public record Changed(String object, long version) implements Message {}
