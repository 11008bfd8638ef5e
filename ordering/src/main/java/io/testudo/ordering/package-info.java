/**
 * Replicated objects: typed states on servers of which some may lie, changed by typed operations
 * that all clients see in one order. {@code io.testudo.ordering.client} is where applications get
 * them, {@code io.testudo.ordering.objects} has ready ones.
 */
@NullMarked
package io.testudo.ordering;

import org.jspecify.annotations.NullMarked;
