package io.testudo.mutex.backoff;

import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: whether the ceilings on this disk cover all that was granted. They do, unless this says
 * otherwise; it does in the first record of a server that lost its memory and is readmitted.
 */
public record CeilingsKnown(boolean known) implements StateRecord {}
