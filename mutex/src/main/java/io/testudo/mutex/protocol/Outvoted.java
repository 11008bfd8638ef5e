package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;

/**
 * Told when a server denied a lock that enough others granted at once. It is no proof: a correct
 * server does so while it knows of a request that the others do not know of. One that does it often
 * is worth a look.
 */
public record Outvoted(ServerId server, String lock) implements Event {}
