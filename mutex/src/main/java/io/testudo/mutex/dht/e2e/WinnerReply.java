package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Message;

/**
 * Whether a replica accepts this holder of a token. It accepts one for each number, and none while
 * its vote belongs to another token.
 *
 * @param state names the state of its vote
 * @param echo the message that it answers
 */
public record WinnerReply(
    ReplicaName replica,
    Token token,
    RequestId holder,
    boolean isAccepted,
    GrantId state,
    long echo)
    implements Message {}
