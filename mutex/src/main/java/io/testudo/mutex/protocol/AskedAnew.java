package io.testudo.mutex.protocol;

import io.testudo.quorum.protocol.Event;

/** Told when a contender was denied a lock, and will ask for it again. */
public record AskedAnew(String lock) implements Event {}
