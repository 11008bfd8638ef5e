package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.quorum.protocol.Message;

/**
 * RESPONSE of a member: whom it votes for, with which part of the space, and whom else to ask.
 *
 * @param nearby other members that it knows
 */
public record ZoneVote(VoteReply reply, ZoneClaim claim, ImmutableList<NodeId> nearby)
    implements Message {}
