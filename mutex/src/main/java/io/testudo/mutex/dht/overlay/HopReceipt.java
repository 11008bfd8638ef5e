package io.testudo.mutex.dht.overlay;

/** That hop is taken: no need to send it again, or to another. */
public record HopReceipt(long number) implements OverlayMessage {}
