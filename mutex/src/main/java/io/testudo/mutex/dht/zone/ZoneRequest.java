package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Message;

/** REQUEST to a member: all of them are asked. */
public record ZoneRequest(String lock, WaitingRequest waiter) implements Message {}
