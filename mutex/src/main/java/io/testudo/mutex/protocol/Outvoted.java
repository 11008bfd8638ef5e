package io.testudo.mutex.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Event;

/**
 * Told when a server denied a lock that enough others granted at once. Nothing follows from it
 * about the server: a correct one does so while it knows of a request that the others do not know
 * of.
 */
public record Outvoted(ServerId server, String lock) implements Event {}
