package io.testudo.quorum.wire;

import io.testudo.quorum.protocol.Message;

/**
 * A message with the handle of the client machine that it comes from or goes to. The principal and
 * the session belong to the channel, so that no message can claim them.
 */
public record Envelope(long handle, Message message) {}
