package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;

/** The sender lives, and these are its leaves, which repair those of the receiver. */
public record ProbeReply(ImmutableList<NodeId> leaves) implements OverlayMessage {}
