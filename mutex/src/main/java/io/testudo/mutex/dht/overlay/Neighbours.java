package io.testudo.mutex.dht.overlay;

/** The members on either side of one: the last before it, and the first after it. */
public record Neighbours(NodeId below, NodeId above) {}
