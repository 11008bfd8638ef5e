package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/**
 * ENQUEUE, sent directly to who is thought to hold the lock: by a hop or a replica for a request
 * that it has stopped, or by the one who waits.
 *
 * @param forwarded how many former holders have passed it on
 */
public record Enqueue(String lock, WaitingRequest waiter, int forwarded) implements Message {}
