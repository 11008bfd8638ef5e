package io.testudo.mutex.dht.ring;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;

/**
 * What one node knows and has, for pictures and checks.
 *
 * @param joined whether it has found its place
 * @param zone the keys that it answers for
 * @param neighbours on either side
 * @param known how many members it knows
 * @param entries for locks of others
 * @param restores how often its machine threw on a message, and began anew
 */
public record NodeView(
    NodeId id,
    boolean joined,
    Zone zone,
    ImmutableList<NodeId> neighbours,
    int known,
    int entries,
    int restores) {}
