package io.testudo.mutex.dht.overlay;

/** The sender leaves now: no need to find out by silence. */
public record Goodbye() implements OverlayMessage {}
