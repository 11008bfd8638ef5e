package io.testudo.ordering;

/**
 * An object at one version.
 *
 * @param version how many batches of operations led to it; 0 for an object that nobody changed
 */
public record Snapshot<S>(long version, S state) {}
