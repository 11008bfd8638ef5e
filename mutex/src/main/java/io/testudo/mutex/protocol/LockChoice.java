package io.testudo.mutex.protocol;

/**
 * One thing that a deployment may choose about a lock protocol.
 *
 * @param key its name in configurations, below {@code lock.} and the name of the protocol
 * @param standard the text of what holds unless it is chosen
 * @param reason what it is, and why one would change it
 */
public record LockChoice(String key, String standard, String reason) {}
