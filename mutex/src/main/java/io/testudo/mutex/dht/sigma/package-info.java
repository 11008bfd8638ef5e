/**
 * Sigma on the logical replicas of a lock, the setting of the 2004 paper: the machines of {@code
 * io.testudo.mutex.sigma}, found by lookups. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.sigma;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
