/**
 * The room of the replicated object: clients order operations by rank, servers only store. It has
 * no content yet.
 */
@NullMarked
package io.testudo.ordering;

import org.jspecify.annotations.NullMarked;
