package io.testudo.mutex.dht.overlay;

/** The sender is a member now. */
public record MemberHello() implements OverlayMessage {}
