package io.testudo.mutex.dht.overlay;

/** Routed to the id of the one who wants to join: whoever owns it now becomes its neighbour. */
public record JoinRequest(NodeId joiner) implements OverlayMessage {}
