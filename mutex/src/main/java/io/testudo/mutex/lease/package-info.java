/**
 * What every protocol that grants leases shares: how a lease that was acquired is kept, and what
 * servers remember of grants. A protocol says how grants are got, and nothing of this.
 */
@NullMarked
@Pure
package io.testudo.mutex.lease;

import io.testudo.quorum.protocol.Pure;
import org.jspecify.annotations.NullMarked;
