package io.testudo.mutex.dht.vote;

import io.testudo.mutex.sigma.GrantId;

/**
 * The vote of a replica.
 *
 * @param owner the request that it was given to
 * @param grant names it, for ever
 * @param endNanos when it is over, on the clock of the replica
 * @param leased the message with whose lease it was given or prolonged
 * @param waitedNanos how long that message had been here
 */
public record Vote(RequestId owner, GrantId grant, long endNanos, long leased, long waitedNanos) {}
