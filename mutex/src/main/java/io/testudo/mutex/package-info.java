/**
 * The room of the distributed lock: {@code DistributedLock}, {@code Lease} and the choice of a
 * backend. It has no content yet.
 */
@NullMarked
package io.testudo.mutex;

import org.jspecify.annotations.NullMarked;
