/**
 * Votes of logical replicas, as the mutexes on the path to a replica need them: Sigma's rules with
 * grant ids and leases, without a word on how messages travel. See docs/dht.md.
 */
@NullMarked
@Pure
package io.testudo.mutex.dht.vote;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
