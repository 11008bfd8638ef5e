/**
 * The client machine of the ordering protocol and its parts: clients order operations, apply them
 * and restore servers that lost their memory. See docs/ordering.md.
 */
@NullMarked
@Pure
package io.testudo.ordering.client;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
