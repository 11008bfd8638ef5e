package io.testudo.mutex.dht.sigma;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.quorum.protocol.Message;

/** Routed to a logical replica: where are you? */
public record Locate(NodeId asker, String lock, int index) implements Message {}
