package io.testudo.ordering.message;

import io.testudo.quorum.protocol.Message;

/** Server to client: your operation waits here, and nobody seems to be ordering the object. */
public record Unattended(String object) implements Message {}
