package io.testudo.mutex.dht.overlay;

/** From a client beside the ring: whom else could I enter through? Answered by acquaintances. */
public record AskMembers() implements OverlayMessage {}
