/**
 * What members and clients of a ring say to each other, on the wire: how it is written, how long it
 * may be, who may say it, and of which nodes it speaks. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.wire;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
