/** The mutexes over a distributed hash table that there are, a line each. */
@NullMarked
@Pure
package io.testudo.mutex.dht.backends;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
