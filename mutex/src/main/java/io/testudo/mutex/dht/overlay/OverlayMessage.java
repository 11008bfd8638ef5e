package io.testudo.mutex.dht.overlay;

import io.testudo.quorum.protocol.Message;

/** What members say to each other to keep the overlay in order; no word of an application. */
public sealed interface OverlayMessage extends Message
    permits HopReceipt,
        JoinRequest,
        Acquaintances,
        AskMembers,
        Welcome,
        MemberHello,
        Goodbye,
        Probe,
        ProbeReply,
        GapLookup {}
