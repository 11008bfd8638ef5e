/**
 * What recipes keep in replicated objects: states and what can be done to them, and the two rules
 * on time by which members of a roster may be believed and evicted.
 */
@NullMarked
@Pure
package io.testudo.client.roster;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
