/**
 * Where an application gets its locks: {@link io.testudo.mutex.client.LockClient}, and for tests
 * {@link io.testudo.mutex.client.LockCluster}. It drives any lock protocol that answers the calls
 * of {@code io.testudo.mutex.protocol}.
 */
@NullMarked
package io.testudo.mutex.client;

import org.jspecify.annotations.NullMarked;
