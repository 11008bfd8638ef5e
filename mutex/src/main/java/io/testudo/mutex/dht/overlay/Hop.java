package io.testudo.mutex.dht.overlay;

import io.testudo.quorum.protocol.Message;

/**
 * A message on its way to the owner of a key.
 *
 * @param number of the sender, for the receipt
 * @param isFromMember whether the sender is a member; clients beside the ring enter through one
 * @param travelled how many hops it had before this one
 */
public record Hop(long number, boolean isFromMember, long key, int travelled, Message payload)
    implements Message {}
