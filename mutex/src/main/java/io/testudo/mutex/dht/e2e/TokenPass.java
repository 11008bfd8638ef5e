package io.testudo.mutex.dht.e2e;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/**
 * TOKEN: it is your turn, and these wait behind you.
 *
 * @param to the request whose turn it is
 */
public record TokenPass(String lock, Token token, RequestId to, ImmutableList<WaitingRequest> queue)
    implements Message {}
