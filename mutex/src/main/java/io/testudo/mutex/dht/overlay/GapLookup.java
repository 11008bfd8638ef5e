package io.testudo.mutex.dht.overlay;

/**
 * Routed to a key: its owner says {@link MemberHello} to the one who asks, and fills a gap there.
 */
public record GapLookup(NodeId asker) implements OverlayMessage {}
