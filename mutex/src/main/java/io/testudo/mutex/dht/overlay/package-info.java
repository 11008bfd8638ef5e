/**
 * A distributed hash table as the mutexes over it need one: recursive routing to the owner of a
 * key, with a word for every hop on the way. Two routings, by prefixes (as Pastry's) and on a ring
 * with fingers (as Chord's). See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.overlay;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
