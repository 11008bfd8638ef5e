package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.quorum.protocol.Message;

/** The token has come: no need to send it again, or to another. */
public record TokenReceipt(String lock, Token token, RequestId to) implements Message {}
