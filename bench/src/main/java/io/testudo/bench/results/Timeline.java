package io.testudo.bench.results;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;

/**
 * How a figure went in the course of a case.
 *
 * @param label what the figure is, for people
 * @param firstSeconds when the first of them begins; 0 is where what is looked at happened
 * @param secondsPerValue how long each of them is
 * @param marks what happened when, in seconds
 * @param values one after the other
 */
public record Timeline(
    String label,
    double firstSeconds,
    double secondsPerValue,
    ImmutableMap<String, Double> marks,
    ImmutableDoubleArray values) {}
