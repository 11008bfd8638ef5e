package io.testudo.mutex.dht.sigma;

import io.testudo.quorum.protocol.Message;

/**
 * What a logical replica answers, always directly.
 *
 * @param session of the client, so that one with the same address and no memory is not meant
 */
public record FromReplica(long session, int index, Message answer) implements Message {}
