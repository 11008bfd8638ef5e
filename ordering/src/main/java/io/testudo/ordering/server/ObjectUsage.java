package io.testudo.ordering.server;

/**
 * What the objects of a server take.
 *
 * @param tombstones what is left of others, which were deleted
 * @param bytes that were taken for them; about what is kept in memory and in the journal
 * @param maxBytes as many have room; of one principal alone half of them
 * @param refused how often something was not stored because whoever made the object has its share
 */
public record ObjectUsage(int objects, int tombstones, long bytes, long maxBytes, long refused) {}
