package io.testudo.mutex.sigma;

/**
 * Names a state of the owner at one server, for ever. Within an incarnation a higher number is a
 * later state; incarnations are drawn at random and have no order.
 *
 * @param incarnation drawn at each start of the server
 * @param number grows whenever an owner is set or leaves
 */
public record GrantId(long incarnation, long number) {}
