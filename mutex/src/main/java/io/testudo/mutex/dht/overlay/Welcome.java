package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;

/** From the one that owned the joiner's id, with its leaves: from now on the joiner is a member. */
public record Welcome(ImmutableList<NodeId> leaves) implements OverlayMessage {}
