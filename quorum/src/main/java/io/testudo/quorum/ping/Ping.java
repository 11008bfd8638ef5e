package io.testudo.quorum.ping;

import io.testudo.quorum.protocol.Message;

/**
 * Client to server: who are you, and what have others told you?
 *
 * @param nonce fresh for each survey
 * @param known the highest incarnations that the client knows of, for the server to remember
 */
public record Ping(long nonce, Incarnations known) implements Message {}
