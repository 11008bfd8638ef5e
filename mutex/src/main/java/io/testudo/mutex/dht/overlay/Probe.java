package io.testudo.mutex.dht.overlay;

/** Are you alive? */
public record Probe() implements OverlayMessage {}
