package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Message;

/**
 * YIELD: give this vote to the earliest who waits; with the strawman's rules nobody does, and it is
 * free.
 *
 * @param grant the vote that is given up, and no other
 */
public record ZoneYield(String lock, WaitingRequest waiter, GrantId grant) implements Message {}
