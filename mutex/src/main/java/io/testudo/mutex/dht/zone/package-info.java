/**
 * Zone voting: all members of the ring vote, each with its share of the space, and a fraction of
 * the space wins. Members come and go all the time, and some may lie. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.zone;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
