package io.testudo.ordering.client;

import io.testudo.quorum.ServerId;

/**
 * A server knows which objects are new.
 *
 * @param restored as many others it was brought up to date with now
 * @param left with as many it was not: clients that use them bring it up to date
 */
public record Readmitted(ServerId server, int restored, int left) {}
