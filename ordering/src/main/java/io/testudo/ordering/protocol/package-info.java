/**
 * The ordering of operations on a replicated object by ranks, after section 5 of Chockler, Malkhi
 * and Reiter (ICDCS 2001). Clients order, servers store. See docs/ordering.md.
 */
@NullMarked
@Pure
package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
