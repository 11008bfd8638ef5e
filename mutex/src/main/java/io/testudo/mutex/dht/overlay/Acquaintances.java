package io.testudo.mutex.dht.overlay;

import com.google.common.collect.ImmutableList;

/** What a hop of a {@link JoinRequest} knows: it fills the tables of the one who joins. */
public record Acquaintances(ImmutableList<NodeId> nodes) implements OverlayMessage {}
