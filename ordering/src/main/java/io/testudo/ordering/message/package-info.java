/**
 * What clients and servers of the ordering protocol send each other, with the limits of each
 * message and the seals on what they say. See docs/ordering.md.
 */
@NullMarked
@Pure
package io.testudo.ordering.message;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
