/**
 * The distributed lock: what an application sees of it. A lock is had from {@code
 * io.testudo.mutex.client.LockClient}; what it promises is said at {@link
 * io.testudo.mutex.DistributedLock}.
 */
@NullMarked
package io.testudo.mutex;

import org.jspecify.annotations.NullMarked;
