package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: I have lost my memory of this object, if I had any, and take no part in your
 * run. When it has chosen something without me, bring me up to date.
 */
public record Absent(String object, Rank asked) implements Message {}
