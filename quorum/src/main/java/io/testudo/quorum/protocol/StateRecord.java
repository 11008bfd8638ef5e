package io.testudo.quorum.protocol;

/**
 * What a machine wants to find again after a restart. Implemented by records; each has a permanent
 * number and a maximal length on disk.
 */
public interface StateRecord {}
