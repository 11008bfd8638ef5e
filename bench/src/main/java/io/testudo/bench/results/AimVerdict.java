package io.testudo.bench.results;

/**
 * Whether an aim was reached.
 *
 * @param measured what there was in its place
 */
public record AimVerdict(String aim, boolean reached, String measured) {}
